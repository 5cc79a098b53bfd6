/**
 * What can go wrong at one call of a port: it fails, before or after it took effect; the process
 * dies there; or the process is stopped there, others go on meanwhile, and then it wakes.
 */
export const FAULTS = [
  'fails',
  'fails after',
  'dies',
  'dies after',
  'stops',
  'stops after',
] as const
export type Fault = (typeof FAULTS)[number]

class Killed extends Error {}

/** Counts the calls of one process, and lets one of them go wrong. */
export class Saboteur {
  calls = 0
  /** The name of the call that goes wrong. */
  hit = ''
  readonly #at: number
  readonly #fault: Fault | null
  readonly #whileStopped: () => Promise<void>
  readonly #underWay = new Set<Promise<unknown>>()
  #awake: Promise<void> = Promise.resolve()

  constructor(at: number, fault: Fault | null, whileStopped: () => Promise<void>) {
    this.#at = at
    this.#fault = fault
    this.#whileStopped = whileStopped
  }

  /** The same port, every call of which goes through here; `lost` is what a failing call throws. */
  tap<T extends object>(port: T, lost: Error): T {
    return new Proxy(port, {
      get: (target, name) => {
        const value: unknown = Reflect.get(target, name)
        if (typeof value !== 'function') return value
        const run = value.bind(target) as (...args: unknown[]) => Promise<unknown>
        return (...args: unknown[]) => this.#call(String(name), () => run(...args), lost)
      },
    })
  }

  async #call(name: string, run: () => Promise<unknown>, lost: Error): Promise<unknown> {
    await this.#awake
    this.calls += 1
    const fault = this.#fault
    if (this.calls > this.#at && (fault === 'dies' || fault === 'dies after')) throw new Killed()
    if (this.calls !== this.#at || fault === null) return this.#through(run)
    this.hit = name
    if (fault === 'fails' || fault === 'dies') throw lost
    if (fault === 'stops') await this.#stop()
    const answer = await this.#through(run)
    if (fault === 'stops after') await this.#stop()
    if (fault === 'fails after' || fault === 'dies after') throw lost
    return answer
  }

  /** A stopped process hears no answer before it wakes. */
  async #through(run: () => Promise<unknown>): Promise<unknown> {
    const answer = run()
    this.#underWay.add(answer)
    try {
      return await answer
    } finally {
      this.#underWay.delete(answer)
      await this.#awake
    }
  }

  /** Stops the whole process: what it has sent arrives, and nothing else goes out. */
  async #stop(): Promise<void> {
    const sleep = (async () => {
      await Promise.allSettled(this.#underWay)
      await this.#whileStopped()
    })()
    this.#awake = sleep
    await sleep
  }
}
