import type { Payout } from '../payouts/payout.ts'
import type { Reference } from '../statements/statement.ts'

/** Fewer letters than these are too few to tell a cut-off name from another one. */
const NAME_LETTERS_MIN = 4

/** ISO 13616: country, check digits, and up to 30 characters of the bank. */
const IBAN = /^[A-Z]{2}\d{2}[A-Z0-9]{8,30}$/

/** How banks write letters that their character set does not have. */
const SPELLED_OUT: readonly (readonly [letter: RegExp, spelled: string])[] = [
  [/ä/g, 'ae'],
  [/ö/g, 'oe'],
  [/ü/g, 'ue'],
  [/ø/g, 'oe'],
  [/å/g, 'aa'],
  [/æ/g, 'ae'],
  [/œ/g, 'oe'],
  [/ß/g, 'ss'],
]

/**
 * Whether a line says that somebody else was paid. The account decides where the line has it;
 * otherwise the name, in any spelling of accents, cut off at any length. False where the line says
 * nothing that can be compared.
 */
export function payeeDiffers(
  refs: Readonly<Record<string, Reference>>,
  { payeeName, destination }: Pick<Payout, 'payeeName' | 'destination'>,
): boolean {
  const account = foldAccount(destination)
  // An IBAN cannot be compared with what a gateway calls the same account.
  const accounts = [refs['payeeAccount'] ?? []]
    .flat()
    .map(foldAccount)
    .filter(theirs => theirs !== '' && account !== '' && IBAN.test(theirs) === IBAN.test(account))
  if (accounts.length > 0) return !accounts.includes(account)
  const names = [refs['payee'] ?? []].flat().flatMap(foldName)
  const ours = foldName(payeeName)
  if (names.length === 0 || ours.length === 0) return false
  return !names.some(name => ours.some(own => isSameName(name, own)))
}

function foldAccount(account: string): string {
  return account.replace(/[^A-Za-z0-9]/g, '').toUpperCase()
}

/** The letters and digits of a name without accents, once dropped and once spelled out. */
function foldName(name: string): string[] {
  const lower = name.normalize('NFC').toLowerCase()
  const spelled = SPELLED_OUT.reduce((text, [letter, as]) => text.replace(letter, as), lower)
  const folded = [lower, spelled].map(text => text.normalize('NFKD').replace(/[^\p{L}\p{N}]/gu, ''))
  return [...new Set(folded)].filter(text => text !== '')
}

function isSameName(one: string, other: string): boolean {
  if (one === other) return true
  const [short, long] = one.length < other.length ? [one, other] : [other, one]
  return short.length >= NAME_LETTERS_MIN && long.startsWith(short)
}
