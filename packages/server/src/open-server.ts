import { openPostgres, sqlState, type Database } from 'holdfast/postgres'

/** Thrown where a Postgres server cannot be worked with from the start: nothing was done. */
export class ServerNotOpened extends Error {
  override readonly name: string = 'ServerNotOpened'
}

/**
 * Opens the database on a Postgres server. Throws {@link ServerNotOpened} that names host and port,
 * never the password, where it does not answer or does not let us in.
 */
export async function openServer(url: string): Promise<Database> {
  const database = await openPostgres(url)
  try {
    await database.query('select 1')
    return database
  } catch (cause) {
    await database.close()
    const why = sqlState(cause) === null ? 'reached' : 'used'
    throw new ServerNotOpened(`The database on ${await addressOf(url)} cannot be ${why}`, { cause })
  }
}

/** Host and port as the driver takes them from the URL and the environment. */
async function addressOf(url: string): Promise<string> {
  const { Client } = await import('pg')
  const { host, port } = new Client({ connectionString: url })
  return `${host}:${port}`
}
