import { expect, test } from 'vitest'
import { impureViolations, importsOf, packageViolations, roomViolations } from './rooms.ts'
import {
  codeViolations,
  headerViolations,
  lengthViolations,
  pathViolations,
  tableViolations,
  versionViolations,
  wordViolations,
} from './rules.ts'

const library = (file: string, module: string) => ({
  path: `packages/holdfast/src/${file}`,
  text: `import { x } from '${module}'\n`,
})

test('finds imports, exports from and dynamic imports', () => {
  const text = "import a from './a.ts'\nexport * from './b.ts'\nconst c = await import('./c.ts')\n"
  expect(importsOf(text)).toEqual(['./a.ts', './b.ts', './c.ts'])
})

test.each([
  ['ledger/x.ts', '../money/asset.ts', true],
  ['money/x.ts', '../ledger/decide.ts', false],
  ['payouts/x.ts', '../stores/postgres/sql.ts', false],
  ['stores/memory/x.ts', '../../ledger/decide.ts', true],
  ['stores/memory/x.ts', '../postgres/sql.ts', false],
  ['stores/postgres/a/x.ts', '../sql.ts', true],
  ['postgres.ts', './stores/postgres/sql.ts', true],
  ['ledger/x.ts', '../instant.ts', true],
  ['instant.ts', './ledger/command.ts', false],
  ['money/x.ts', 'node:fs', false],
  ['ledger/x.ts', 'node:crypto', false],
  ['stores/memory/x.ts', 'node:fs', true],
  ['ledger/x.ts', '@holdfast/simulated-bank', false],
])('%s importing %s is allowed: %s', (file, module, allowed) => {
  expect(roomViolations(library(file, module))).toHaveLength(allowed ? 0 : 1)
})

test.each([
  ['ledger/x.ts', 'const now = new Date()', 1],
  ['payouts/x.ts', 'const now = Date.now()', 1],
  ['payouts/x.ts', 'await fetch(url)', 1],
  ['payouts/x.ts', 'const then = new Date(now)', 0],
  ['timer.ts', 'setTimeout(resolve, ms)', 0],
  ['gateways/bank/x.ts', 'await fetch(url)', 0],
])('%s reaching the world: %s', (file, text, violations) => {
  const path = `packages/holdfast/src/${file}`
  expect(impureViolations({ path, text })).toHaveLength(violations)
})

test('packages', () => {
  const bank = {
    path: 'packages/simulated-bank/src/x.ts',
    text: "import 'a'\nimport { x } from 'holdfast'\n",
  }
  expect(packageViolations(bank)).toHaveLength(1)
  expect(packageViolations({ ...bank, path: 'packages/server/src/x.ts' })).toEqual([])
})

test('a file of 401 lines is too long', () => {
  expect(lengthViolations({ path: 'a.ts', text: 'x\n'.repeat(400) })).toEqual([])
  expect(lengthViolations({ path: 'a.ts', text: 'x\n'.repeat(401) })).toHaveLength(1)
})

test.each([
  ['// TODO later', 1],
  ['// XXX later', 1],
  ["const noCurrency = 'XXX'", 0],
  ['// eslint-disable-next-line no-x', 1],
  ['// eslint-disable-next-line no-x -- the library asks for it', 0],
  ["test.only('x', () => {})", 1],
  ["parseFloat('1.5')", 1],
])('words: %s', (text, violations) => {
  expect(wordViolations({ path: 'a.ts', text })).toHaveLength(violations)
})

test('headers of SQL', () => {
  const text = '-- Inputs: none. Outputs: one row. Locks: none.\nselect 1\n'
  expect(headerViolations({ path: 'a.sql', text })).toEqual([])
  expect(
    headerViolations({ path: 'a.sql', text: 'select 1 -- Inputs Outputs Locks\n' }),
  ).toHaveLength(3)
})

test('paths of one machine', () => {
  expect(pathViolations({ path: 'a.md', text: 'see /home/me/x' })).toHaveLength(1)
  expect(pathViolations({ path: 'a.md', text: 'see /v1/payments and src/home/x' })).toEqual([])
  expect(pathViolations({ path: 'a.md', text: 'write to /tmp/x' })).toHaveLength(1)
  expect(pathViolations({ path: 'a.ts', text: "mkdtempSync('/tmp/x')" })).toEqual([])
})

test('codes on a page', () => {
  const page = { path: 'a.md', text: '| `ONE` |' }
  expect(codeViolations(['ONE', 'TWO'], page, 'a.md')).toEqual([
    'a.md: TWO is missing: add its row',
  ])
  expect(codeViolations(['ONE'], undefined, 'a.md')).toHaveLength(1)
})

test('tables of codes', () => {
  const path = 'packages/holdfast/src/ledger/x.ts'
  const table = { path, text: "export const NEW_CODES = ['ONE'] as const\n" }
  expect(tableViolations(table, ['NEW_CODES'])).toEqual([])
  expect(tableViolations(table, ['OLD_CODES'])).toHaveLength(1)
})

test('versions', () => {
  const text = JSON.stringify({ dependencies: { a: '1.2.3', b: '^1.2.3', c: '1.2.3-beta.4' } })
  expect(versionViolations({ path: 'package.json', text })).toHaveLength(1)
})
