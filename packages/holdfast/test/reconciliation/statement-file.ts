import type { StatementFile } from '../../src/statements/intake.ts'
import type { Statement, StatementEvent, StatementLine } from '../../src/statements/statement.ts'

/** A statement as a test writes it: its closing balance is its opening and its booked lines. */
export interface WrittenStatement {
  readonly id?: string | null
  readonly account?: string | null
  readonly currency?: string | null
  readonly opening?: bigint | null
  readonly closing?: bigint | null
  readonly lines: readonly StatementLine[]
}

/** A file of the tests' own format: JSON, a line an event. The reader gives what was written. */
export function statementFile(...statements: readonly WrittenStatement[]): StatementFile {
  return fileOfBytes(statementText(...statements))
}

export function statementText(...statements: readonly WrittenStatement[]): string {
  const events = statements.flatMap((each, index) => eventsOf(each, index))
  return events.map(event => `${encode(event)}\n`).join('')
}

export function fileOfBytes(text: string): StatementFile {
  const bytes = new TextEncoder().encode(text)
  return {
    async *open() {
      await Promise.resolve()
      for (let start = 0; start < bytes.length; start += 10_000)
        yield bytes.subarray(start, start + 10_000)
    },
    async *read(chunks) {
      const parts: Uint8Array[] = []
      for await (const chunk of chunks) parts.push(chunk)
      const lines = Buffer.concat(parts).toString('utf8').split('\n')
      for (const line of lines) if (line !== '') yield decode(line)
    },
  }
}

/** What booked lines move, in minor units. */
export function movedBy(lines: readonly StatementLine[]): bigint {
  return lines
    .filter(({ status }) => status === 'booked')
    .reduce((sum, { amount, direction }) => sum + (direction === 'debit' ? -amount : amount), 0n)
}

function eventsOf(written: WrittenStatement, statement: number): StatementEvent[] {
  const { lines, id = null, account = 'NL91ABNA0417164300', currency = 'EUR' } = written
  const { opening = null } = written
  const closing = opening === null ? null : opening + movedBy(lines)
  const head: Statement = {
    id,
    account,
    currency,
    opening,
    closing: written.closing === undefined ? closing : written.closing,
    balancesAddUp: opening === null ? null : true,
  }
  return [
    { type: 'statement', statement, format: 'test' },
    ...lines.map((line): StatementEvent => ({ type: 'line', statement, line })),
    { type: 'end', statement, head },
  ]
}

function encode(event: StatementEvent): string {
  return JSON.stringify(event, (_, value: unknown) =>
    typeof value === 'bigint' ? `${value}n` : value,
  )
}

function decode(text: string): StatementEvent {
  return JSON.parse(text, (_, value: unknown) =>
    typeof value === 'string' && /^-?\d+n$/.test(value) ? BigInt(value.slice(0, -1)) : value,
  ) as StatementEvent
}
