import type {
  Gateway,
  GatewayDeclaration,
  PayoutInstruction,
  SendAnswer,
  StatusAnswer,
} from '../../src/payouts/gateway.ts'

/** What the bank does with a send that it has not seen before, or with any where it has no keys. */
export type Behaviour =
  'pay' | 'refuse' | 'lose-before' | 'lose-after' | 'pay-later' | 'pay-later-unseen'

/** What a gateway declares in most tests: everything that helps. */
export const HELPFUL: GatewayDeclaration = {
  idempotency: true,
  keyRetentionMs: 86_400_000,
  finalityMs: 60_000,
  statusIsStrong: true,
}

/**
 * A bank in the process that counts what it pays. It is the witness of the tests: whatever the
 * books say, this is what left.
 */
export class ModelBank implements Gateway {
  readonly name = 'bank'
  readonly declares: GatewayDeclaration
  /** Every payment that moved money, in order. */
  readonly payments: PayoutInstruction[] = []
  readonly sends: string[] = []
  readonly questions: string[] = []
  behave: (id: string, send: number) => Behaviour = () => 'pay'
  /** Runs while a send is under way, before the bank does anything. */
  beforeSend: (id: string) => Promise<void> = () => Promise.resolve()
  /** Runs while a question is under way, before the bank answers. */
  beforeStatus: (id: string) => Promise<void> = () => Promise.resolve()
  /** Says something else than what is so. */
  statusInstead: (id: string) => StatusAnswer | null = () => null
  readonly #answers = new Map<string, SendAnswer>()
  readonly #later = new Map<string, { instruction: PayoutInstruction; seen: boolean }>()

  constructor(declares: Partial<GatewayDeclaration> = {}) {
    this.declares = { ...HELPFUL, ...declares }
  }

  /** How often a payout was paid. */
  paid(id: string): number {
    return this.payments.filter(each => each.payout === id).length
  }

  async send(instruction: PayoutInstruction): Promise<SendAnswer> {
    const { payout } = instruction
    this.sends.push(payout)
    const count = this.sends.filter(each => each === payout).length
    await this.beforeSend(payout)
    const earlier = this.declares.idempotency ? this.#answers.get(payout) : undefined
    if (earlier) return earlier
    if (this.#later.has(payout)) return { answer: 'unknown', reason: 'in flight' }
    switch (this.behave(payout, count)) {
      case 'pay':
        return this.#pay(instruction)
      case 'refuse':
        return this.#answer(payout, { answer: 'refused', reason: 'account closed' })
      case 'lose-before':
        return { answer: 'unknown', reason: 'timed out' }
      case 'lose-after':
        this.#pay(instruction)
        return { answer: 'unknown', reason: 'timed out' }
      case 'pay-later':
        this.#later.set(payout, { instruction, seen: true })
        return { answer: 'unknown', reason: 'processing' }
      case 'pay-later-unseen':
        this.#later.set(payout, { instruction, seen: false })
        return { answer: 'unknown', reason: 'timed out' }
    }
  }

  async status({ payout }: PayoutInstruction): Promise<StatusAnswer> {
    this.questions.push(payout)
    await this.beforeStatus(payout)
    const instead = this.statusInstead(payout)
    if (instead) return instead
    const answer = this.#answers.get(payout)
    if (answer?.answer === 'paid') return { ...answer, returned: 0n }
    if (answer?.answer === 'refused') return answer
    return this.#later.get(payout)?.seen === true
      ? { answer: 'processing' }
      : { answer: 'not-found' }
  }

  /** Pays what it put off. */
  payLater(): void {
    for (const { instruction } of this.#later.values()) this.#pay(instruction)
    this.#later.clear()
  }

  #pay(instruction: PayoutInstruction): SendAnswer {
    this.payments.push(instruction)
    const { payout } = instruction
    return this.#answer(payout, { answer: 'paid', reference: `bank-${this.payments.length}` })
  }

  #answer(payout: string, answer: SendAnswer): SendAnswer {
    this.#answers.set(payout, answer)
    return answer
  }
}
