import { describe } from 'vitest'
import { MEMORY } from '../support/stores.ts'
import { describeContract } from './contract.ts'

describe('the ledger in memory', () => {
  describeContract(MEMORY)
})
