import type { Prepared } from '../../ledger/prepare.ts'
import type { MovementFields } from './movement-text.ts'
import { fieldsText, legsText } from './movement-text.ts'

const ABSENT = '-'

/**
 * A well-formed command as `apply` reads it, in three lines: its words, the fields of its movement,
 * and its legs. No name and no key has a space or a line break in it (shape.ts).
 */
export function encodeCommand(command: Prepared): string {
  switch (command.do) {
    case 'open':
      return lines(['open', command.account, command.asset, String(command.floor ?? ABSENT)])
    case 'close':
      return lines(['close', command.account])
    case 'transfer': {
      const { key, legs, effective, meta } = command
      return lines(['transfer', key], { effective, meta }, legsText(legs))
    }
    case 'hold': {
      const { key, replaces, expiresInMs, legs, meta } = command
      const words = ['hold', key, replaces ?? ABSENT, String(expiresInMs ?? ABSENT)]
      return lines(words, { replaces, meta }, legsText(legs))
    }
    case 'settle': {
      const { hold, amounts } = command
      return lines(['settle', hold, amountsText(amounts)], { amounts })
    }
    case 'release': {
      const { hold, ifExpired, reason } = command
      return lines(['release', hold, ifExpired ? 'ifExpired' : ABSENT], { reason })
    }
    case 'reverse': {
      const { key, of, amounts, mayOwe } = command
      const words = ['reverse', key, of, amountsText(amounts), mayOwe ? 'mayOwe' : ABSENT]
      return lines(words, { of, amounts, mayOwe })
    }
  }
}

function lines(words: readonly string[], fields: MovementFields = {}, legs = ''): string {
  return `${words.join(' ')}\n${fieldsText(fields)}\n${legs}`
}

function amountsText(amounts: readonly bigint[] | null): string {
  return amounts?.join() ?? ABSENT
}
