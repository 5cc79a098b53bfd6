import type { Asset } from 'holdfast'
import { parseAsset } from 'holdfast/money'

/** The number of decimals of an asset that the ledger gave. */
export function scaleOf(asset: Asset): number {
  const parsed = parseAsset(asset)
  if (!parsed.ok) throw new Error(`The ledger holds an asset that is none: ${asset}`)
  return parsed.scale
}
