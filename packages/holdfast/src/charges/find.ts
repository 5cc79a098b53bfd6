import type { Key } from '../ledger/command.ts'
import { captureKey, type ChargeContext } from './context.ts'
import { readCharge, type ChargeRecord } from './record.ts'

/** What stands under a caller's key, and what took its place when it was captured. */
export interface FoundRecords {
  readonly own: ChargeRecord | null
  readonly inItsPlace: ChargeRecord | null
}

/** Reads both in one step, so that what it says was true at one moment. */
export async function findRecords({ ledger }: ChargeContext, key: Key): Promise<FoundRecords> {
  const movements = await ledger.movements(key, captureKey(key))
  const under = (name: Key) => readCharge(movements.filter(each => each.key === name))
  return { own: under(key), inItsPlace: under(captureKey(key)) }
}

/** The charge under a caller's key, however it came about; null where nobody was charged. */
export async function findTaken(context: ChargeContext, key: Key): Promise<ChargeRecord | null> {
  const { own, inItsPlace } = await findRecords(context, key)
  const record = inItsPlace ?? own
  return record?.took ? record : null
}
