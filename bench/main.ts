// npm run bench -- ledger [--json] [--seconds N]: measures, and prints one table.
import { parseArgs } from 'node:util'
import { benchLedger, type Row } from './ledger.ts'

const { values, positionals } = parseArgs({
  options: { json: { type: 'boolean' }, seconds: { type: 'string', default: '4' } },
  allowPositionals: true,
})
const seconds = Number(values.seconds)
if (positionals.join() !== 'ledger' || !(seconds > 0)) {
  console.error('npm run bench -- ledger [--json] [--seconds N]')
  process.exit(2)
}

const rows: Row[] = []
await benchLedger(seconds * 1_000, row => {
  rows.push(row)
  if (process.stderr.isTTY) process.stderr.write(`${line(row)}\n`)
})
console.log(values.json ? JSON.stringify(rows) : [header(), ...rows.map(line)].join('\n'))

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
