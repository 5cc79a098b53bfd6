import { expect, test } from 'vitest'
import { holdfast } from './support/holdfast.ts'

const HOOKS = new URL('./support/without-defence.mjs', import.meta.url).href
const PAYDAY = ['demo', 'payday', '--payouts', '40', '--concurrency', '8', '--json']

/** The codes of the problems that a payday ends with. */
async function payday(defence?: string): Promise<{ code: number | null; codes: Set<string> }> {
  const without = { NODE_OPTIONS: `--import ${HOOKS}`, WITHOUT_DEFENCE: defence ?? '' }
  const { code, stdout, stderr } = await holdfast(PAYDAY, defence ? { env: without } : {})
  const last = stdout.trim().split('\n').at(-1) ?? ''
  const { problems } = JSON.parse(last || `{"problems":[{"code":${JSON.stringify(stderr)}}]}`) as {
    problems: { code: string }[]
  }
  return { code, codes: new Set(problems.map(problem => problem.code)) }
}

test('a payday ends with books and bank in agreement', { timeout: 300_000 }, async () => {
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
