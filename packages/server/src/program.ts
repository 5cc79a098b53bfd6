import { Command, CommanderError } from 'commander'
import { readFileSync } from 'node:fs'
import { BadInput } from './bad-input.ts'
import { registerAccounts } from './commands/accounts-import.ts'
import { registerApply } from './commands/apply.ts'
import { registerBalance } from './commands/balance.ts'
import { registerBank } from './commands/bank.ts'
import { registerCheck } from './commands/check.ts'
import { registerDemo } from './commands/demo.ts'
import { registerEntries } from './commands/entries.ts'
import { registerExplain } from './commands/explain-account.ts'
import { registerFees } from './commands/fees.ts'
import { registerMigrate } from './commands/migrate.ts'
import { registerPay } from './commands/pay.ts'
import { registerPayouts } from './commands/payouts.ts'
import { registerReconcile } from './commands/reconcile.ts'
import { registerResolve } from './commands/resolve.ts'
import { registerStatement } from './commands/statement.ts'
import { EXIT, type ExitCode } from './exit-codes.ts'
import { explain } from './explain.ts'
import type { Io } from './io.ts'
import type { Run } from './run.ts'

const COMMANDS = [
  registerDemo,
  registerApply,
  registerBalance,
  registerEntries,
  registerExplain,
  registerAccounts,
  registerPay,
  registerPayouts,
  registerResolve,
  registerReconcile,
  registerStatement,
  registerFees,
  registerCheck,
  registerMigrate,
  registerBank,
]

/** Runs the command line `holdfast ARGS…`; returns its exit code. Never throws, never exits. */
export async function runHoldfast(args: readonly string[], io: Io): Promise<ExitCode> {
  let exitCode: ExitCode = EXIT.clean
  const run: Run = async command => {
    exitCode = await command(io)
  }
  try {
    await programOf(run, io).parseAsync(args, { from: 'user' })
    return exitCode
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.clean : EXIT.badInput
    if (error instanceof BadInput) {
      io.note(error.message)
      return EXIT.badInput
    }
    io.note(explain(error))
    return EXIT.notDone
  }
}

function programOf(run: Run, io: Io): Command {
  const program = new Command('holdfast')
    .description('Moves money exactly once, and proves it.')
    .version(version())
    .exitOverride()
    .showHelpAfterError('(holdfast --help, or holdfast COMMAND --help, says more)')
    .configureOutput({
      writeOut: text => void io.print(text.trimEnd()),
      writeErr: text => {
        io.note(text.trimEnd())
      },
    })
  for (const register of COMMANDS) register(program, run)
  return program
}

function version(): string {
  const file = new URL('../package.json', import.meta.url)
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version
}
