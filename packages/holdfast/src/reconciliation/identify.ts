import { isPayoutId, payoutIdsIn } from '../payouts/payout-id.ts'
import type { Reference, StatementLine } from '../statements/statement.ts'

type References = Readonly<Record<string, Reference>>

/** The ids that a line may carry, whether or not there are such payouts. */
export interface CarriedIds {
  /** A reference that is nothing but an id. */
  readonly exact: ReadonlySet<string>
  /** Ids that stand in a longer text. */
  readonly mentioned: ReadonlySet<string>
}

/** These say who is paid: a name that looks like an id must not pass for one. */
const PAYEE_REFERENCES: ReadonlySet<string> = new Set(['payee', 'payeeAccount'])

/** Looks for payout ids in everything that may carry one. */
export function carriedIds(refs: References, bankRef: string | null): CarriedIds {
  const exact = new Set<string>()
  const mentioned = new Set<string>()
  for (const reference of [bankRef ?? [], ...carriers(refs)]) {
    for (const text of textsOf(reference)) {
      if (isPayoutId(text.trim())) exact.add(text.trim())
      else for (const id of payoutIdsIn(text)) mentioned.add(id)
    }
  }
  return { exact, mentioned }
}

/**
 * Ids that a line may be meant to carry, anywhere and in small letters too: enough for caution, not
 * for matching.
 */
export function suspectedIds({ refs, bankRef, batch }: StatementLine): string[] {
  const details = (batch?.details ?? []).map(detail => detail.refs)
  const references = [bankRef ?? [], ...[refs, ...details].flatMap(each => Object.values(each))]
  return [...new Set(references.flatMap(textsOf).flatMap(text => payoutIdsIn(text.toUpperCase())))]
}

/** Every text that may be the name of a batch. */
export function carriedNames(refs: References): string[] {
  return carriers(refs).flat()
}

/** Long texts come in pieces of a fixed width, and the cut may go through an id. */
function textsOf(reference: Reference): string[] {
  const pieces = [reference].flat()
  return pieces.length > 1 ? [...pieces, pieces.join('')] : pieces
}

function carriers(refs: References): Reference[] {
  return Object.entries(refs)
    .filter(([name]) => !PAYEE_REFERENCES.has(name))
    .map(([, reference]) => reference)
}
