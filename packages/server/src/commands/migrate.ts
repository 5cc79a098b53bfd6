import {
  DEFAULT_SCHEMA,
  grantRuntime,
  migrate as bringUpToDate,
  migrationScript,
  sqlState,
  type Database,
} from 'holdfast/postgres'
import { BadInput } from '../bad-input.ts'
import { EXIT, type ExitCode } from '../exit-codes.ts'
import type { Io } from '../io.ts'
import type { Register } from '../run.ts'
import { withWhere, type WhereOptions } from '../where.ts'
import { openForMigration, readSchema } from '../wiring.ts'

interface MigrateOptions extends WhereOptions {
  readonly print?: true
  readonly runtimeRole?: string
  readonly json?: true
}

/** `holdfast migrate`: makes the schema of a database, or brings it up to date. */
export const registerMigrate: Register = (program, run) => {
  withWhere(program.command('migrate'))
    .description('Make the schema of a database, or bring it up to date')
    .option('--print', 'only print the SQL, for those who run migrations themselves')
    .option('--runtime-role <name>', 'the role that programs run as: grant it what they need')
    .option('--json', 'machine-readable output')
    .action((options: MigrateOptions) => run(io => migrate(options, io)))
}

async function migrate(options: MigrateOptions, io: Io): Promise<ExitCode> {
  const schema = readSchema(options)
  const { runtimeRole: role } = options
  if (options.print && role !== undefined)
    throw new BadInput('--runtime-role: cannot be printed, only granted')
  if (options.print) {
    await io.print(migrationScript(schema).trimEnd())
    return EXIT.clean
  }
  const database = await openForMigration(options)
  try {
    const ran = await bringUpToDate(database, schema)
    if (role !== undefined) await grant(database, schema ?? DEFAULT_SCHEMA, role)
    if (options.json) await io.print(JSON.stringify({ ran, granted: role ?? null }))
    else await io.print(inWords(ran, role))
    return EXIT.clean
  } finally {
    await database.close()
  }
}

function inWords(ran: readonly string[], role: string | undefined): string {
  const done = ran.length === 0 ? 'Up to date' : `Ran ${ran.join(', ')}`
  return role === undefined ? done : `${done}; ${role} may use it`
}

const UNDEFINED_OBJECT = '42704'

async function grant(database: Database, schema: string, role: string): Promise<void> {
  try {
    await grantRuntime(database, schema, role)
  } catch (error) {
    if (error instanceof RangeError) throw new BadInput(`--runtime-role: ${error.message}`)
    if (sqlState(error) === UNDEFINED_OBJECT)
      throw new BadInput(`--runtime-role: the database has no role ${role}`)
    throw error
  }
}
