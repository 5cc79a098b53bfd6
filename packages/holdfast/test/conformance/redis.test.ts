import { describe } from 'vitest'
import { HAS_REDIS } from '#testing/redis.ts'
import { REDIS } from '../support/stores.ts'
import { describeContract } from './contract.ts'

describe.skipIf(!HAS_REDIS)('the ledger on Redis', () => {
  describeContract(REDIS)
})
