// Starts a private Postgres, says where it is, and goes on for ever.
import { startPrivatePostgres } from '../../src/private-postgres/private-postgres.ts'

const { url } = await startPrivatePostgres()
process.stdout.write(`${url}\n`)
setInterval(() => undefined, 60_000)
