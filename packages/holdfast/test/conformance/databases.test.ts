import { describe } from 'vitest'
import { DATABASES } from '../support/stores.ts'
import { describeContract } from './contract.ts'

describe.each(DATABASES)('the ledger on $name', describeContract)
