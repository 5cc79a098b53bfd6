// npm run bench -- ledger | charges | interleave [--json] [--seconds N], or check [--json] [--movements N]:
// measures, and prints one table.
import { parseArgs } from 'node:util'
import { benchCharges, type ChargesRow } from './charges.ts'
import { benchCheck, type CheckRow } from './check.ts'
import { benchInterleave, type InterleaveRow } from './interleave.ts'
import { benchLedger, type Row } from './ledger.ts'

const { values, positionals } = parseArgs({
  options: {
    json: { type: 'boolean' },
    seconds: { type: 'string', default: '4' },
    movements: { type: 'string', default: '1000000' },
  },
  allowPositionals: true,
})
const seconds = Number(values.seconds)
const movements = Number(values.movements)
const [what] = positionals
if (positionals.length !== 1 || !(seconds > 0) || !(Number.isInteger(movements) && movements > 0))
  usage()
if (what === 'ledger') await ledger()
else if (what === 'charges') await charges()
else if (what === 'check') await checkBook()
else if (what === 'interleave') await interleave()
else usage()

function usage(): never {
  console.error('npm run bench -- ledger [--json] [--seconds N]')
  console.error('npm run bench -- charges [--json] [--seconds N]')
  console.error('npm run bench -- interleave [--json] [--seconds N]')
  console.error('npm run bench -- check [--json] [--movements N]')
  process.exit(2)
}

async function ledger(): Promise<void> {
  const rows: Row[] = []
  await benchLedger(seconds * 1_000, row => {
    rows.push(row)
    if (process.stderr.isTTY) process.stderr.write(`${line(row)}\n`)
  })
  console.log(values.json ? JSON.stringify(rows) : [header(), ...rows.map(line)].join('\n'))
}

async function charges(): Promise<void> {
  const rows: ChargesRow[] = []
  await benchCharges(seconds * 1_000, row => {
    rows.push(row)
    if (process.stderr.isTTY) process.stderr.write(`${chargesLine(row)}\n`)
  })
  const head = chargesColumns('case', 'callers', 'a second', 'ratio', 'p50 ms', 'p99 ms')
  console.log(values.json ? JSON.stringify(rows) : [head, ...rows.map(chargesLine)].join('\n'))
}

function chargesLine({ case: name, callers, rate, ratio, p50Ms, p99Ms }: ChargesRow): string {
  const numbers = [rate.toFixed(0), ratio.toFixed(2), p50Ms.toFixed(1), p99Ms.toFixed(1)]
  return chargesColumns(name, String(callers), ...numbers)
}

function chargesColumns(name: string, ...numbers: string[]): string {
  return name.padEnd(20) + numbers.map(each => each.padStart(10)).join('')
}

async function interleave(): Promise<void> {
  const rows: InterleaveRow[] = []
  await benchInterleave(seconds * 1_000, row => {
    rows.push(row)
    if (process.stderr.isTTY) process.stderr.write(`${orderLine(row)}\n`)
  })
  const head = orderColumns('case', 'program', 'orders/s', 'ratio', 'ms')
  console.log(values.json ? JSON.stringify(rows) : [head, ...rows.map(orderLine)].join('\n'))
}

function orderLine({ case: name, program, rate, ratio, ms }: InterleaveRow): string {
  const shown = (value: number | null, digits: number) => value?.toFixed(digits) ?? '-'
  return orderColumns(name, program, shown(rate, 0), shown(ratio, 1), shown(ms, 2))
}

function orderColumns(name: string, program: string, ...numbers: string[]): string {
  return name.padEnd(26) + program.padEnd(28) + numbers.map(each => each.padStart(13)).join('')
}

async function checkBook(): Promise<void> {
  const row = await benchCheck(movements)
  console.log(values.json ? JSON.stringify([row]) : checkTable(row))
}

function checkTable(row: CheckRow): string {
  const cells: [string, string][] = [
    ['movements', String(row.movements)],
    ['entries', String(row.entries)],
    ['seconds', row.seconds.toFixed(1)],
    ['a second', row.rate.toFixed(0)],
    ['peak MB', row.peakMb.toFixed(0)],
    ['by hand s', row.byHandSeconds.toFixed(2)],
    ['ratio', row.ratio.toFixed(1)],
  ]
  return [0, 1].map(at => cells.map(cell => (cell[at] ?? '').padStart(11)).join('')).join('\n')
}

function header(): string {
  return columns('case', 'shape', 'callers', 'a second', 'ratio', 'p50 ms', 'p99 ms', 'WAL bytes')
}

function line(row: Row): string {
  return columns(
    row.case,
    row.shape,
    String(row.callers),
    row.rate.toFixed(0),
    row.ratio.toFixed(2),
    row.p50Ms.toFixed(1),
    row.p99Ms.toFixed(1),
    row.walBytes?.toString() ?? '-',
  )
}

function columns(name: string, shape: string, ...numbers: string[]): string {
  return name.padEnd(20) + shape.padEnd(21) + numbers.map(each => each.padStart(10)).join('')
}
