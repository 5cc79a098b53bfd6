import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { bundled, HAS_CHROMIUM, inChromium } from '#testing/chromium.ts'
import type { Found } from './browser-page.ts'
import { TABLE } from './table.ts'

const BYTES_MAX = 15 * 1_024
/** More than the browser is given to answer, so that its own message is seen. */
const TEST_MS_MAX = 120_000

const pathOf = (file: string) => fileURLToPath(new URL(file, import.meta.url))

test('the package is small enough for a page', async () => {
  const script = await bundled(pathOf('../src/index.ts'))
  expect(script).toContain('explore')
  expect(gzipSync(script).length).toBeLessThan(BYTES_MAX)
})

test.skipIf(!HAS_CHROMIUM)(
  'counts in Chromium as it does in Node (needs chromium in the PATH)',
  { timeout: TEST_MS_MAX },
  async () => {
    const script = await bundled(pathOf('browser-page.ts'))
    const found = JSON.parse(await inChromium(script)) as Found
    expect(found).toEqual({
      table: TABLE.map(({ orders, violations }) => {
        const counts = `${orders} ${violations} true`
        return [counts, counts]
      }),
      fourCopies: '8719560 8696160 true',
      nested: '54 36 true',
      // Four steps in any order.
      atOnce: '24 0 true',
      uncontrolled: expect.stringContaining('no port call, after account.load') as string,
    })
  },
)
