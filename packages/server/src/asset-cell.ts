import type { Asset } from 'holdfast'
import { fullAssetName } from 'holdfast/money'

/** Reads a currency or the full name of an asset; null, and said to be bad, where it is neither. */
export function readAsset(cell: string, bad: (why: string) => void): Asset | null {
  const asset = fullAssetName(cell)
  if (asset === null) bad('is no currency, and no asset with its scale, EUR/2')
  return asset
}
