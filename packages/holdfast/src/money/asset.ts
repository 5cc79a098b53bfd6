import { minorUnits } from './currency.ts'

/** What an asset's name says: `EUR/2` is code `EUR`, scale 2 (the number of decimals). */
export type ParsedAsset =
  | { readonly ok: true; readonly code: string; readonly scale: number }
  | { readonly ok: false; readonly why: string }

/** What an asset's name is made of, in words. */
export const ASSET_RULE =
  'a capital, up to 15 capitals or digits, a slash and a scale of 0 to 18, as EUR/2'

/** The scale has no leading zero. */
const ASSET = /^([A-Z][A-Z0-9]{0,15})\/(0|[1-9]|1[0-8])$/

/** Reads an asset's full name, `GBP/6`. `EUR` alone is none: see {@link fullAssetName}. */
export function parseAsset(text: unknown): ParsedAsset {
  const parts = typeof text === 'string' ? ASSET.exec(text) : null
  const [, code, scale] = parts ?? []
  if (code === undefined || scale === undefined)
    return { ok: false, why: `is no asset: ${ASSET_RULE}` }
  return { ok: true, code, scale: Number(scale) }
}

/**
 * The full name of an asset. An ISO 4217 code gets its own scale, `EUR` is `EUR/2`; a full name is
 * given back as it is. Null where the text is neither.
 */
export function fullAssetName(text: string): string | null {
  if (parseAsset(text).ok) return text
  const scale = minorUnits(text)
  return scale === null ? null : `${text}/${scale}`
}

/** The number of decimals of an asset. Throws a `RangeError` where the name is not a full one. */
export function scaleOf(asset: string): number {
  return partsOf(asset).scale
}

/** The code in an asset's name, `EUR` of `EUR/2`. Throws as {@link scaleOf} does. */
export function currencyOf(asset: string): string {
  return partsOf(asset).code
}

function partsOf(asset: string): ParsedAsset & { readonly ok: true } {
  const result = parseAsset(asset)
  if (!result.ok) throw new RangeError(`"${asset}" ${result.why}`)
  return result
}
