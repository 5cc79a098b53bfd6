import { describe } from 'vitest'
import { HAS_PGBOUNCER } from '../support/pgbouncer.ts'
import { THROUGH_PGBOUNCER } from '../support/stores.ts'
import { describeContract } from './contract.ts'

describe.skipIf(!HAS_PGBOUNCER).each(THROUGH_PGBOUNCER)(
  'the ledger through $name (needs pgbouncer in the PATH)',
  describeContract,
)
