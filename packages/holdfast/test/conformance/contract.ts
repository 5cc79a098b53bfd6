import { afterAll, beforeAll, describe } from 'vitest'
import { Scene, type StoreMaker, type Subject } from '../support/subject.ts'
import { describeAccounts } from './accounts.ts'
import { describeDeadlines } from './deadlines.ts'
import { describeExpiry } from './expiry.ts'
import { describeFeed } from './feed.ts'
import { describeHolds } from './holds.ts'
import { describeKeys } from './keys.ts'
import { describeLimits } from './limits.ts'
import { describeMeta } from './meta.ts'
import { describeReads } from './reads.ts'
import { describeRefusals } from './refusals.ts'
import { describeReversals } from './reversals.ts'
import { describeTransfers } from './transfers.ts'
import { describeVectors } from './vectors.ts'

/** The contract of the ledger, which every store keeps: the one suite that all of them pass. */
export function describeContract({ make, deadlines, vectors, balanceMax }: StoreMaker): void {
  let subject: Subject
  beforeAll(async () => {
    subject = await make()
  })
  afterAll(() => subject.close())
  const scene = () => new Scene(subject)

  describe('accounts', () => {
    describeAccounts(scene)
  })
  describe('transfers', () => {
    describeTransfers(scene)
  })
  describe('holds', () => {
    describeHolds(scene)
  })
  describe('expiry', () => {
    describeExpiry(scene)
  })
  describe('reversals', () => {
    describeReversals(scene)
  })
  describe('keys', () => {
    describeKeys(scene)
  })
  describe('refusals', () => {
    describeRefusals(scene, balanceMax)
  })
  describe('limits', () => {
    describeLimits(scene, balanceMax)
  })
  describe('meta', () => {
    describeMeta(scene)
  })
  describe('reads', () => {
    describeReads(scene)
  })
  describe('the feed', () => {
    describeFeed(scene)
  })
  describe.runIf(deadlines)('deadlines', () => {
    describeDeadlines(scene)
  })
  describe('the shared vectors', () => {
    describeVectors(scene, vectors, balanceMax)
  })
}
