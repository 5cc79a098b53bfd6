import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const CACHE = join(ROOT, 'node_modules', '.cache', 'holdfast')

let folder: string
beforeEach(() => {
  mkdirSync(CACHE, { recursive: true })
  folder = mkdtempSync(join(CACHE, 'count-'))
})
afterEach(() => {
  rmSync(folder, { recursive: true })
})

test('counts whatever can fail, and ends with a plain line', () => {
  const { status, lastLine } = run({
    passes: `test('a', () => {}); test('b', () => {})`,
    fails: `test('a', () => { throw new Error('no') }); test('b', () => {})`,
    breaksBefore: `beforeAll(() => { throw new Error('no') }); test('never runs', () => {})`,
    breaksAfter: `afterAll(() => { throw new Error('no') }); test('passes', () => {})`,
    cannotBeLoaded: `import './nowhere.ts'`,
    forgetsAPromise: `test('a', async () => {
      void Promise.reject(new Error('no'))
      await new Promise(resolve => setTimeout(resolve, 20))
    })`,
  })
  expect(lastLine).toBe('5 passed, 5 failed')
  expect(status).toBe(1)
})

test('a run in which all passes ends well', () => {
  expect(run({ passes: `test('a', () => {})` })).toEqual({
    status: 0,
    lastLine: '1 passed, 0 failed',
  })
})

test('a run in which nothing runs has failed', () => {
  const nothing = run({ skipped: `test.skip('a', () => {})` })
  expect(nothing).toEqual({ status: 1, lastLine: '0 passed, 0 failed' })
})

/** Runs test files of these names and contents with the reporter. */
function run(files: Record<string, string>): { status: number | null; lastLine: string } {
  for (const [name, body] of Object.entries(files)) {
    const text = `import { afterAll, beforeAll, test } from 'vitest'\n${body}\n`
    writeFileSync(join(folder, `${name}.test.ts`), text)
  }
  const reporter = fileURLToPath(new URL('./count-reporter.ts', import.meta.url))
  writeFileSync(
    join(folder, 'vitest.config.ts'),
    `import { CountReporter } from ${JSON.stringify(reporter)}
     export default { test: { include: ['*.test.ts'], reporters: ['default', new CountReporter()] } }`,
  )
  const vitest = join(ROOT, 'node_modules', 'vitest', 'vitest.mjs')
  const { status, stdout } = spawnSync(process.execPath, [vitest, 'run', '--root', folder], {
    encoding: 'utf8',
    cwd: folder,
  })
  return { status, lastLine: stdout.trimEnd().split('\n').at(-1) ?? '' }
}
