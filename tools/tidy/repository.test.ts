import { expect, test } from 'vitest'
import { CHARGE_REFUSAL_CODES } from '../../packages/holdfast/src/charges/refusals.ts'
import { CHECK_CODES } from '../../packages/holdfast/src/ledger/check-codes.ts'
import { REFUSAL_CODES } from '../../packages/holdfast/src/ledger/outcome.ts'
import { PAYOUT_REFUSAL_CODES } from '../../packages/holdfast/src/payouts/refusals.ts'
import { FINDING_KINDS } from '../../packages/holdfast/src/reconciliation/finding.ts'
import { INTAKE_REFUSAL_CODES } from '../../packages/holdfast/src/statements/intake-ports.ts'
import { impureViolations, packageViolations, roomViolations } from './rooms.ts'
import {
  codeViolations,
  headerViolations,
  lengthViolations,
  pathViolations,
  tableViolations,
  versionViolations,
  wordViolations,
} from './rules.ts'
import { repositoryFiles } from './source-file.ts'

const files = repositoryFiles()

test.each([
  ['rooms import leftwards only', roomViolations],
  ['packages import downwards only', packageViolations],
  ['rooms reach the world through ports', impureViolations],
  ['no file is too long', lengthViolations],
  ['nothing is left for later', wordViolations],
  ['SQL and Lua say what they do', headerViolations],
  ['no path of one machine', pathViolations],
  ['versions are exact', versionViolations],
])('%s', (_, rule) => {
  expect(files.flatMap(rule)).toEqual([])
})

/** The tables of codes, and the page that explains each. */
const TABLES = {
  REFUSAL_CODES: ['docs/reference/refusals.md', REFUSAL_CODES],
  PAYOUT_REFUSAL_CODES: ['docs/reference/refusals.md', PAYOUT_REFUSAL_CODES],
  CHARGE_REFUSAL_CODES: ['docs/reference/refusals.md', CHARGE_REFUSAL_CODES],
  INTAKE_REFUSAL_CODES: ['docs/reference/refusals.md', INTAKE_REFUSAL_CODES],
  FINDING_KINDS: ['docs/reference/reconciliation.md', FINDING_KINDS],
  CHECK_CODES: ['docs/reference/check.md', Object.keys(CHECK_CODES)],
} as const

test.each(Object.entries(TABLES))('every code of %s stands on its page', (_, [name, codes]) => {
  const page = files.find(({ path }) => path === name)
  expect(codeViolations(codes, page, name)).toEqual([])
})

test('every table of codes has a page', () => {
  expect(files.flatMap(file => tableViolations(file, Object.keys(TABLES)))).toEqual([])
})

test('the whole repository is read', () => {
  const paths = files.map(({ path }) => path)
  expect(paths).toContain('packages/holdfast/src/ledger/decide.ts')
  expect(paths).toContain('tools/tidy/rules.ts')
})
