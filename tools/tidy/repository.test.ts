import { expect, test } from 'vitest'
import { FINDING_KINDS } from '../../packages/holdfast/src/reconciliation/finding.ts'
import { REFUSAL_CODES } from '../../packages/holdfast/src/ledger/outcome.ts'
import { CHECK_CODES } from '../../packages/holdfast/src/ledger/check-codes.ts'
import { PAYOUT_REFUSAL_CODES } from '../../packages/holdfast/src/payouts/refusals.ts'
import { packageViolations, roomViolations } from './rooms.ts'
import {
  codeViolations,
  headerViolations,
  lengthViolations,
  pathViolations,
  versionViolations,
  wordViolations,
} from './rules.ts'
import { repositoryFiles } from './source-file.ts'

const files = repositoryFiles()

test.each([
  ['rooms import leftwards only', roomViolations],
  ['packages import downwards only', packageViolations],
  ['no file is too long', lengthViolations],
  ['nothing is left for later', wordViolations],
  ['SQL and Lua say what they do', headerViolations],
  ['no path of one machine', pathViolations],
  ['versions are exact', versionViolations],
])('%s', (_, rule) => {
  expect(files.flatMap(rule)).toEqual([])
})

test.each([
  ['docs/reference/refusals.md', REFUSAL_CODES],
  ['docs/reference/payouts.md', PAYOUT_REFUSAL_CODES],
  ['docs/reference/reconciliation.md', FINDING_KINDS],
  ['docs/reference/check.md', CHECK_CODES],
])('every code stands on %s', (name, codes) => {
  const page = files.find(({ path }) => path === name)
  expect(codeViolations(codes, page, name)).toEqual([])
})
