import { ListNotApplied, OutcomeUnknown } from 'holdfast'
import { describe, expect, test } from 'vitest'
import { explain } from './explain.ts'

function refusedConnection(host: string): Error {
  return Object.assign(new Error(`connect ECONNREFUSED ${host}`), { syscall: 'connect' })
}

describe('explain', () => {
  test('names each address that refused, once', () => {
    const error = new AggregateError([refusedConnection('::1:5432'), refusedConnection('::1:5432')])
    expect(explain(error)).toMatch(/^Could not be done: connect ECONNREFUSED ::1:5432\. /)
  })

  test('goes down to what the driver said', () => {
    const cause = new Error('Connection terminated unexpectedly')
    expect(explain(new OutcomeUnknown({ cause }))).toMatch(
      /^The answer of the store was lost \(Connection terminated unexpectedly\)\. .*run the same/,
    )
    expect(explain(new ListNotApplied('failed', { cause }))).toMatch(/Connection terminated/)
  })

  test('shows a bug with where it happened', () => {
    expect(explain(new TypeError('x is undefined'))).toMatch(
      /^This is a bug in holdfast: TypeError: x is undefined\n +at /,
    )
  })
})
