import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { REFUSAL_CODES, type RefusalCode } from '../../src/ledger/outcome.ts'
import { AMOUNT_MAX } from '../../src/money/amount.ts'
import { refusalsAt } from './refusal-table.ts'

const PAGE = new URL('../../../../docs/reference/refusals.md', import.meta.url)

/** The rows of the page's first table: code, when, what it carries. */
function rows(): string[][] {
  const [, ledger = ''] = readFileSync(PAGE, 'utf8').split(/^## /m)
  return ledger
    .split('\n')
    .filter(line => line.startsWith('| `'))
    .map(line => line.split('|').map(cell => cell.trim()))
}

it('the page has every code, in the order in which they are checked', () => {
  expect(rows().map(([, code = '']) => code.replaceAll('`', ''))).toStrictEqual([...REFUSAL_CODES])
})

it.each(
  rows().map(([, code = '', , carries = '']) => [code.replaceAll('`', ''), carries] as const),
)('the page says what %s carries', (code, carries) => {
  const told = [...carries.replaceAll(/\([^)]*\)/g, '').matchAll(/`(\w+)`/g)].map(
    ([, name]) => name,
  )
  const carried = refusalsAt(AMOUNT_MAX)[code as RefusalCode].flatMap(row =>
    Object.keys(row.carries),
  )
  expect(told.sort()).toStrictEqual([...new Set(carried)].sort())
})
