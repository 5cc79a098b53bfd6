const ENABLED = Symbol('enabled')

interface Guarded {
  readonly [ENABLED]?: () => boolean
}

/**
 * A port's method that waits: while `when` is false, the call is not enabled, and no order takes it.
 * `when` may look at the world, and must not change it.
 */
export function enabledWhen<Args extends unknown[], Result>(
  when: () => boolean,
  method: (...args: Args) => Result,
): (...args: Args) => Result {
  const guarded = function (this: unknown, ...args: Args): Result {
    return method.apply(this, args)
  }
  return Object.assign(guarded, { [ENABLED]: when })
}

/** What `enabledWhen` said of a method. */
export function guardOf(method: object): (() => boolean) | undefined {
  return (method as Guarded)[ENABLED]
}

/** A lock as a port: `lock` is enabled while nobody holds it. */
export interface Lock {
  readonly lock: () => void
  /** Throws where nobody holds the lock. */
  readonly unlock: () => void
}

/** Makes a lock that is free. */
export function createLock(): Lock {
  let held = false
  return {
    lock: enabledWhen(
      () => !held,
      () => {
        held = true
      },
    ),
    unlock: () => {
      if (!held) throw new Error('unlock: nobody holds the lock')
      held = false
    },
  }
}
