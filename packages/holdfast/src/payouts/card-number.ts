/** 13 to 19 digits, alone or in groups. */
const CARD_LIKE = /(?<![0-9A-Za-z])\d(?:[ .-]?\d){12,18}(?![0-9A-Za-z])/g
/** ISO 13616: a country, two check digits, the account. Its groups are no card number. */
const IBAN_LIKE = /^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/

/**
 * Whether a text holds what reads as the number of a payment card: 13 to 19 digits (ISO/IEC 7812)
 * with a right check digit (Luhn).
 */
export function holdsCardNumber(text: string): boolean {
  if (IBAN_LIKE.test(text.replaceAll(' ', '').toUpperCase())) return false
  return (text.match(CARD_LIKE) ?? []).some(run => passesLuhn(run.replaceAll(/\D/g, '')))
}

function passesLuhn(digits: string): boolean {
  const sum = Array.from(digits, Number)
    .reverse()
    .reduce((total, digit, index) => {
      const value = index % 2 === 0 ? digit : 2 * digit
      return total + (value > 9 ? value - 9 : value)
    }, 0)
  return sum % 10 === 0
}
