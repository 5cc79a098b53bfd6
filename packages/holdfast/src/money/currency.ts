/**
 * ISO 4217 codes and their minor units (the number of decimals), as data of our own.
 * As of 1 January 2026. Codes without a minor unit (XAU, XDR, XTS, XXX and the like) are not money
 * here and are left out.
 */

/** In use on the date of the table, by number of decimals. */
const CURRENT: readonly (readonly [decimals: number, codes: string])[] = [
  [0, 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'],
  [
    2,
    `AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BMD BND BOB BOV BRL BSD BTN BWP BYN BZD CAD CDF
     CHE CHF CHW CNY COP COU CRC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD
     GTQ GYD HKD HNL HTG HUF IDR ILS INR IRR JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL
     MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MXV MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR
     PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TOP
     TRY TTD TWD TZS UAH USD USN UYU UZS VED VES WST XAD XCD XCG YER ZAR ZMW ZWG`,
  ],
  [3, 'BHD IQD JOD KWD LYD OMR TND'],
  [4, 'CLF UYW'],
]

/** Withdrawn from 2011 on; they still stand in older statements and books. */
const WITHDRAWN: readonly (readonly [decimals: number, codes: string])[] = [
  [0, 'BYR'],
  [2, 'ANG BGN CUC EEK HRK LTL LVL MRO SLL STD VEF ZMK ZWL'],
]

const MINOR_UNITS: ReadonlyMap<string, number> = new Map(
  [...CURRENT, ...WITHDRAWN].flatMap(([decimals, codes]) =>
    codes.split(/\s+/).map(code => [code, decimals] as const),
  ),
)

/**
 * The number of decimals of an ISO 4217 currency (`EUR` 2, `JPY` 0, `KWD` 3), in use or withdrawn
 * since 2011; null where the code is not in the table. Codes are in capitals.
 */
export function minorUnits(code: string): number | null {
  return MINOR_UNITS.get(code) ?? null
}
