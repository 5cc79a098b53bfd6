import { createLock, type Fault, type Lock, type Program, type Task } from '../src/index.ts'
import { guardOf } from '../src/enabled.ts'
import { known } from '../src/known.ts'

/** One line of a small program: what a task does, as data, so that it can be counted without running it. */
export type Line =
  | { readonly do: 'add'; readonly to: number; readonly amount: number }
  /** Ends the task where the variable is at least that much. */
  | { readonly do: 'stop at'; readonly of: number; readonly least: number }
  /** Takes what was last read, and writes it back with one more: the usual lost update. */
  | { readonly do: 'read'; readonly of: number }
  | { readonly do: 'write'; readonly to: number }
  | { readonly do: 'lock' | 'unlock'; readonly lock: number }

export type Lines = readonly (readonly Line[])[]

interface World {
  readonly values: number[]
  readonly locks: readonly Lock[]
}

const VALUES = 2
const LOCKS = 2
const isWell = (values: readonly number[]) => values.reduce((a, b) => a + b) % 2 === 0

function portsOf({ values, locks }: World) {
  return {
    add: (to: number, amount: number) => {
      values[to] = (values[to] ?? 0) + amount
    },
    get: (of: number) => values[of] ?? 0,
    set: (to: number, value: number) => {
      values[to] = value
    },
    lock: locks.map(({ lock }) => lock),
    unlock: locks.map(({ unlock }) => unlock),
  }
}

/** What a task does after a crash. */
const RESTART: readonly Line[] = [
  { do: 'read', of: 0 },
  { do: 'write', to: 0 },
]

/** The program as async code over ports. */
type Ports = ReturnType<typeof portsOf>
const isFree = (lock: () => void) => guardOf(lock)?.()

export function programOf(lines: Lines): Program<World, Ports> {
  const taskOf =
    (own: readonly Line[]): Task<Ports> =>
    async ports => {
      let seen = 0
      for (const line of own) {
        if (line.do === 'add') await ports.add(line.to, line.amount)
        else if (line.do === 'read') seen = await ports.get(line.of)
        else if (line.do === 'write') await ports.set(line.to, seen + 1)
        else if (line.do === 'stop at') {
          if ((await ports.get(line.of)) >= line.least) return
        } else await ports[line.do][line.lock]?.()
      }
    }
  return {
    setup: () => ({
      values: Array.from({ length: VALUES }, () => 0),
      locks: Array.from({ length: LOCKS }, createLock),
    }),
    ports: portsOf,
    tasks: lines.map(taskOf),
    invariant: ({ values }) => isWell(values),
    restart: ports => taskOf(RESTART)(ports),
  }
}

/** All of the world that can be seen, with what holds the locks. */
export const stateOf = ({ values, locks }: World): string =>
  `${values.join()} ${locks.map(({ lock }) => isFree(lock)).join()}`

interface Counted {
  orders: bigint
  violations: bigint
  errors: bigint
  deadlocks: bigint
}

interface Thread {
  readonly lines: readonly Line[]
  readonly seen: number
  readonly threw: boolean
  /** Second deliveries on their way, each with what was read when it was sent. */
  readonly copies: readonly Sent[]
}

interface Sent {
  readonly line: Line
  readonly seen: number
}

interface State {
  readonly threads: readonly Thread[]
  readonly values: readonly number[]
  readonly held: readonly boolean[]
  readonly faultsLeft: number
}

export interface Limits {
  readonly kinds: readonly Fault[]
  readonly most: number
  /** Turns away from a task that could have gone on. */
  readonly preemptions: number
}

/** Counts the orders of a program by going through its lines, without running it. */
export function countLines(lines: Lines, { kinds, most, preemptions }: Limits): Counted {
  const counted: Counted = { orders: 0n, violations: 0n, errors: 0n, deadlocks: 0n }
  const go = (state: State, at: number, left: number) => {
    const next = state.threads.map((_, task) => nextOf(state, task, kinds))
    const canGoOn = (next[at]?.length ?? 0) > 0
    next.forEach((states, task) => {
      const leftThen = canGoOn && task !== at ? left - 1 : left
      if (leftThen >= 0) for (const each of states) go(each, task, leftThen)
    })
    if (next.some(states => states.length > 0)) return
    counted.orders += 1n
    if (state.threads.some(thread => thread.lines.length > 0)) counted.deadlocks += 1n
    else {
      if (state.threads.some(({ threw }) => threw)) counted.errors += 1n
      if (!isWell(state.values)) counted.violations += 1n
    }
  }
  const start: State = {
    threads: lines.map(own => ({ lines: own, seen: 0, threw: false, copies: [] })),
    values: Array.from({ length: VALUES }, () => 0),
    held: Array.from({ length: LOCKS }, () => false),
    faultsLeft: most,
  }
  go(start, -1, preemptions)
  return counted
}

/** The states that one step of a task can lead to. */
function nextOf(state: State, task: number, faults: readonly Fault[]): State[] {
  const thread = known(state.threads[task])
  const with_ = (changed: Partial<Thread>, more: Partial<State> = {}): State => ({
    ...state,
    ...more,
    threads: state.threads.with(task, { ...thread, ...changed }),
  })
  const copies = thread.copies.flatMap((copy, at) => {
    const done = effect(copy, state)
    return done === null ? [] : [with_({ copies: thread.copies.toSpliced(at, 1) }, done.world)]
  })
  const [line, ...rest] = thread.lines
  const sent = line && { line, seen: thread.seen }
  const done = sent && effect(sent, state)
  if (!sent || !done) return copies
  const { world, reply, threw } = done
  const stops = threw || (line.do === 'stop at' && reply >= line.least)
  const went: Partial<Thread> = {
    lines: stops ? [] : rest,
    threw: thread.threw || threw,
    seen: line.do === 'read' ? reply : thread.seen,
  }
  if (state.faultsLeft === 0) return [with_(went, world), ...copies]
  const faultsLeft = state.faultsLeft - 1
  const failed: Record<Fault, State> = {
    'reply lost': with_({ lines: [] }, { ...world, faultsLeft }),
    'not sent': with_({ lines: [] }, { faultsLeft }),
    'crash before': with_({ lines: RESTART }, { faultsLeft }),
    'crash after': with_({ lines: RESTART }, { ...world, faultsLeft }),
    'delivered twice': with_(
      { ...went, copies: [...thread.copies, sent] },
      { ...world, faultsLeft },
    ),
  }
  return [with_(went, world), ...faults.map(fault => failed[fault]), ...copies]
}

/** What a line does to the world, and what comes back; null where it has to wait. */
function effect({ line, seen }: Sent, { values, held }: State) {
  const done = (world: Partial<State>, reply = 0, threw = false) => ({ world, reply, threw })
  switch (line.do) {
    case 'add':
      return done({ values: values.with(line.to, known(values[line.to]) + line.amount) })
    case 'stop at':
    case 'read':
      return done({}, known(values[line.of]))
    case 'write':
      return done({ values: values.with(line.to, seen + 1) })
    case 'lock':
      return held[line.lock] === true ? null : done({ held: held.with(line.lock, true) })
    case 'unlock':
      return held[line.lock] === true
        ? done({ held: held.with(line.lock, false) })
        : done({}, 0, true)
  }
}
