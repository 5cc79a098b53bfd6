import { isKey } from '../ledger/shape.ts'
import type { NumberedLine } from '../statements/intake-ports.ts'
import { carriedIds, carriedNames, suspectedIds } from './identify.ts'
import type { Known, PayoutBatch } from './matching.ts'
import { partsOf, type Part } from './parts.ts'
import type { BatchQuery, PayoutReads } from './ports.ts'

/** Asks our books for whatever the lines may be about. */
export async function lookUp(
  lines: readonly NumberedLine[],
  reads: PayoutReads,
): Promise<{ ids: string[]; known: Known }> {
  const parts = lines.flatMap(partsOf)
  const named = await reads.byIds([...new Set(lines.flatMap(({ line }) => suspectedIds(line)))])
  const payouts = new Map(named.map(payout => [payout.id, payout]))
  const batches = new Map<string, PayoutBatch>()
  for (const part of parts) {
    if (part.kind !== 'group' || idsIn(part).some(id => payouts.has(id))) continue
    for (const batch of await reads.batches(batchQuery(part))) batches.set(batch.batch, batch)
  }
  const known = { payouts, batches: [...batches.values()] }
  const inBatches = known.batches.flatMap(batch => batch.payouts.map(({ id }) => id))
  return { ids: [...new Set([...payouts.keys(), ...inBatches])], known }
}

function idsIn({ refs, bankRef, detailRefs }: Part): string[] {
  const ids = [carriedIds(refs, bankRef), ...detailRefs.map(inner => carriedIds(inner, null))]
  return ids.flatMap(({ exact, mentioned }) => [...exact, ...mentioned])
}

function batchQuery({ refs, detailRefs, amount, charges, count }: Part): BatchQuery {
  const names = [refs, ...detailRefs].flatMap(carriedNames)
  return {
    // The name of a batch is a key: no other text can be one.
    names: names.filter(isKey),
    sums: [amount, amount - charges],
    count,
  }
}
