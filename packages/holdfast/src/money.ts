export { AMOUNT_MAX, formatDecimal, parseDecimal, type ParsedAmount } from './money/amount.ts'
export { currencyOf, fullAssetName, parseAsset, scaleOf, type ParsedAsset } from './money/asset.ts'
export { minorUnits } from './money/currency.ts'
export { split, splitBasisPoints } from './money/split.ts'
