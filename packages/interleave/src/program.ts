/**
 * What a task sees of the ports: the same methods, each of which gives a promise, because a call
 * waits until its turn comes. Namespaces inside a port are ports too.
 */
export type View<Ports> = {
  readonly [Name in keyof Ports]: Ports[Name] extends (...args: never[]) => Promise<unknown>
    ? Ports[Name]
    : Ports[Name] extends (...args: infer Args) => infer Result
      ? (...args: Args) => Promise<Awaited<Result>>
      : Ports[Name] extends object
        ? View<Ports[Name]>
        : Ports[Name]
}

/** An ordinary async function. Only its calls on the ports are steps. */
export type Task<Ports> = (ports: View<Ports>) => Promise<unknown>

/** How a task came to its end. */
export type TaskOutcome =
  | { readonly status: 'returned'; readonly value: unknown }
  | { readonly status: 'threw'; readonly error: unknown }
  /** It crashed, and there is no `restart`. */
  | { readonly status: 'crashed' }
  /** It waits for ever: the order ended in a deadlock. */
  | { readonly status: 'waiting' }

/**
 * Says which calls on a real store wait for another task, so that such a call is not taken for a
 * slow one: see `@holdfast/interleave/postgres`.
 */
export interface Blocking {
  /**
   * Called right after a call of the task has begun. Resolves to true once the call is known to
   * wait for another task; to false when `done` is aborted first, which says that it has answered.
   */
  blocked(task: number, done: AbortSignal): Promise<boolean>
}

/** Concurrent code, and what has to hold after it, in whatever order its steps were taken. */
export interface Program<World, Ports extends object> {
  /** Makes the world of one run. It is called for every run, so keep it cheap. */
  readonly setup: () => World | Promise<World>
  /** The ports of a task (0 is the first): objects whose methods are the steps. */
  readonly ports: (world: World, task: number) => Ports
  /** At most 26, named A to Z. */
  readonly tasks: readonly Task<Ports>[]
  /**
   * Whether all is well when every task has ended. False, or a thrown error (of `assert`, say), is
   * a violation.
   */
  readonly invariant: (world: World, outcomes: readonly TaskOutcome[]) => boolean | Promise<boolean>
  /**
   * All of the world that what comes later, or the invariant, can see: plain data, or a string.
   * With it, runs that meet in one state are counted together.
   */
  readonly state?: (world: World) => unknown
  /** What a task does when its process comes back after a crash. */
  readonly restart?: (ports: View<Ports>, task: number) => Promise<unknown>
  /** Needed where a call can wait for another task inside a real store. */
  readonly blocking?: Blocking
}
