import { ListNotApplied, OutcomeUnknown } from 'holdfast'
import { sqlState } from 'holdfast/postgres'
import { ServerNotOpened } from './open-server.ts'

/** How far down an error's causes its first cause is looked for. */
const CAUSE_DEPTH_MAX = 8

/**
 * Tells a person what went wrong outside: the database is away, the disk is full. An error that is
 * none of these is a bug of ours, and is shown with where it happened.
 */
export function explain(error: unknown): string {
  const cause = firstCause(error)
  const what = describe(cause)
  if (error instanceof OutcomeUnknown)
    return `The answer of the store was lost (${what}). Whether the last step took effect is unknown: run the same command again to learn it, no money can move twice.`
  if (error instanceof ServerNotOpened) return `${error.message}: ${what}. Nothing was done.`
  if (!isFromOutside(cause)) return `This is a bug in holdfast: ${stackOf(cause)}`
  return `Could not be done: ${what}. What was answered before stands; run the same command again.`
}

/** Whether an error came from the database, the network or the file system. */
function isFromOutside(error: unknown): boolean {
  if (error instanceof ListNotApplied || sqlState(error) !== null) return true
  if (!(error instanceof Error)) return false
  return 'syscall' in error || 'errors' in error || LOST_CONNECTION.test(error.message)
}

/** What the driver says of a connection that is gone or did not come: these have no code. */
const LOST_CONNECTION = /connection|timeout|client has encountered|not queryable/i

function firstCause(error: unknown): unknown {
  let link = error
  for (let depth = 0; depth < CAUSE_DEPTH_MAX; depth += 1) {
    if (!(link instanceof Error) || link.cause === undefined) return link
    link = link.cause
  }
  return link
}

/** An error in one line. Several addresses of one host fail together and without a message. */
function describe(error: unknown): string {
  if (error instanceof AggregateError)
    return [...new Set(error.errors.map(each => describe(each)))].join(', ')
  return error instanceof Error ? error.message || error.name : String(error)
}

function stackOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}
