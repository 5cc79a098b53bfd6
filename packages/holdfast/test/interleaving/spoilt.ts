import type { Command } from '../../src/ledger/command.ts'
import type { Outcome } from '../../src/ledger/outcome.ts'
import type { Store } from '../../src/ledger/store.ts'
import { replacing } from './timed.ts'

/** Stores from which a defence was taken out. What they do wrong is done in everyday code. */

/** Looks whether there is enough, and holds or moves it in a step of its own. The account has no floor. */
export function checkFirst(store: Store): Store {
  const refused = async (book: string, command: Command): Promise<Outcome | null> => {
    if (command.do !== 'hold' && command.do !== 'transfer') return null
    for (const { from, amount } of command.legs) {
      const account = await store.account(book, String(from))
      const available = (account?.posted ?? 0n) - (account?.held ?? 0n)
      if (available < amount)
        return { ok: false, refusal: { code: 'INSUFFICIENT_FUNDS', message: 'too little' } }
    }
    return null
  }
  return replacing(store, {
    async apply(book, commands, deadline) {
      const outcomes: Outcome[] = []
      for (const command of commands)
        outcomes.push((await refused(book, command)) ?? (await one(store, book, command, deadline)))
      return outcomes
    },
  })
}

/** Gives a command a new key each time that it is sent. */
export function freshKeys(store: Store): Store {
  let sends = 0
  return replacing(store, {
    apply: (book, commands, deadline) => {
      sends += 1
      const renamed = commands.map(command =>
        'key' in command ? { ...command, key: `${command.key}#${sends}` } : command,
      )
      return store.apply(book, renamed, deadline)
    },
  })
}

/** Releases a hold also where it has not expired. */
export function releaseAnyway(store: Store): Store {
  return replacing(store, {
    apply: (book, commands, deadline) =>
      store.apply(
        book,
        commands.map(each => (each.do === 'release' ? { do: each.do, hold: each.hold } : each)),
        deadline,
      ),
  })
}

/** Gives the answers of a list in another order. */
export function mixUp(store: Store): Store {
  return replacing(store, {
    apply: async (...args) => (await store.apply(...args)).toReversed(),
  })
}

async function one(
  store: Store,
  book: string,
  command: Command,
  deadline: string,
): Promise<Outcome> {
  const [outcome] = await store.apply(book, [command], deadline)
  if (!outcome) throw new Error('a command was left without an outcome')
  return outcome
}
