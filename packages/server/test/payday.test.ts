import { describe, expect, test } from 'vitest'
import { holdfast } from './support/holdfast.ts'
import { SERVER } from './support/places.ts'

const HOOKS = new URL('./support/without-defence.mjs', import.meta.url).href
const PAYDAY = ['demo', 'payday', '--payouts', '24', '--concurrency', '8', '--json']

// On the embedded database, which takes longer to open, it is run by `.ci/run`, for some seeds.
describe('a payday on a Postgres server', () => {
  const place = SERVER.make()

  /** The codes of the problems that it ends with. */
  async function payday(defence?: string): Promise<{ code: number | null; codes: Set<string> }> {
    const without = { NODE_OPTIONS: `--import ${HOOKS}`, WITHOUT_DEFENCE: defence ?? '' }
    const args = [...PAYDAY, ...place.options()]
    const { code, stdout, stderr } = await holdfast(args, defence ? { env: without } : {})
    const last = stdout.trim().split('\n').at(-1) ?? ''
    const { problems } = JSON.parse(
      last || `{"problems":[{"code":${JSON.stringify(stderr)}}]}`,
    ) as {
      problems: { code: string }[]
    }
    return { code, codes: new Set(problems.map(problem => problem.code)) }
  }

  test('ends with books and bank in agreement', { timeout: 300_000 }, async () => {
    expect(await payday()).toEqual({ code: 0, codes: new Set() })
  })

  test.each([
    ['same-id', 'PAID_UNDER_AN_UNKNOWN_ID'],
    ['hold-first', 'PAID_BEFORE_HOLD'],
    ['one-worker', 'SENT_TWICE'],
  ])('without %s it ends with %s', { timeout: 300_000 }, async (defence, problem) => {
    const { code, codes } = await payday(defence)
    expect(code).toBe(1)
    expect([...codes]).toContain(problem)
  })
})
