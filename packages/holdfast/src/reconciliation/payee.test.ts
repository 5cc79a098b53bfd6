import { expect, test } from 'vitest'
import { payeeDiffers } from './payee.ts'

const IBAN = 'NL91ABNA0417164300'

test.each([
  ['the same name', { payee: 'Ann Weber' }, 'Ann Weber', IBAN],
  ['capitals, spaces and marks', { payee: 'ANN  WEBER.' }, 'Ann Weber', IBAN],
  ['accents dropped', { payee: 'MULLER & SOHNE GMBH' }, 'Müller & Söhne GmbH', IBAN],
  ['accents spelled out', { payee: 'Mueller & Soehne GmbH' }, 'Müller & Söhne GmbH', IBAN],
  [
    'a name that was cut off',
    { payee: 'Internationale Handelsgesellsch' },
    'Internationale Handelsgesellschaft mbH',
    IBAN,
  ],
  ['no name at all', {}, 'Ann Weber', IBAN],
  ['nothing of ours to compare with', { payee: 'Ann Weber', payeeAccount: 'acct-1' }, '', ''],
  [
    'the account, whatever the name',
    { payee: 'A. W.', payeeAccount: 'nl91 ABNA 0417 1643 00' },
    'Ann Weber',
    IBAN,
  ],
  ['an IBAN, where we have what a gateway calls it', { payeeAccount: IBAN }, 'Ann Weber', 'acct_1'],
])('the payee is the same by %s', (_, refs, payeeName, destination) => {
  expect(payeeDiffers(refs, { payeeName, destination })).toBe(false)
})

test.each([
  ['another name', { payee: 'Mallory' }, 'Ann Weber', IBAN],
  ['too little of a name', { payee: 'Ann' }, 'Ann Weber', IBAN],
  [
    'another account, under the same name',
    { payee: 'Ann Weber', payeeAccount: 'NL20INGB0001234567' },
    'Ann Weber',
    IBAN,
  ],
  ['another account of a gateway', { payeeAccount: 'acct_2' }, 'Ann Weber', 'acct_1'],
])('the payee differs by %s', (_, refs, payeeName, destination) => {
  expect(payeeDiffers(refs, { payeeName, destination })).toBe(true)
})
