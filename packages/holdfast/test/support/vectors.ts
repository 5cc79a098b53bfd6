import { existsSync, readFileSync } from 'node:fs'
import { decodeCommand } from '../../src/ledger/wire.ts'
import type { Command } from '../../src/ledger/command.ts'
import type { Outcome } from '../../src/ledger/outcome.ts'

/** One scenario of `ledger.jsonl`: a list of commands with its right outcomes and balances. */
export interface Scenario {
  readonly name: string
  readonly commands: readonly Command[]
  readonly outcomes: readonly string[]
  readonly accounts: Readonly<Record<string, { posted: string; held: string; version: number }>>
}

const FILE = new URL('../../../../../shared/vectors/ledger.jsonl', import.meta.url)

/**
 * The scenarios kept beside the project whose amounts and balances all lie within a store's limit;
 * null where the folder is absent.
 */
export function readVectors(balanceMax: bigint): Scenario[] | null {
  if (!existsSync(FILE)) return null
  const lines = readFileSync(FILE, 'utf8').trim().split('\n')
  const scenarios = lines.map(line => {
    const scenario = JSON.parse(line) as {
      name: string
      commands: unknown[]
      outcomes: { ok: boolean; replayed?: boolean; code?: string }[]
      accounts: Scenario['accounts']
    }
    return {
      name: scenario.name,
      commands: scenario.commands.map(decodeCommand),
      outcomes: scenario.outcomes.map(({ ok, replayed, code }) =>
        ok ? (replayed ? 'replayed' : 'ok') : (code ?? ''),
      ),
      accounts: scenario.accounts,
    }
  })
  return scenarios.filter(({ commands, accounts }) => isWithin({ commands, accounts }, balanceMax))
}

/** Whether every amount in it, `bigint` or in digits, lies within the limit. */
function isWithin(value: unknown, max: bigint): boolean {
  if (typeof value === 'object' && value !== null)
    return Object.values(value).every(each => isWithin(each, max))
  if (typeof value === 'string' && /^-?[0-9]{1,40}$/.test(value))
    return isWithin(BigInt(value), max)
  return typeof value !== 'bigint' || (value <= max && value >= -max)
}

/** An outcome in one word, as the scenarios have it. */
export function inOneWord(outcome: Outcome): string {
  if (!outcome.ok) return outcome.refusal.code
  return outcome.replayed ? 'replayed' : 'ok'
}
