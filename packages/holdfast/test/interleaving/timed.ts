import type { Clock, Instant } from '../../src/instant.ts'

/**
 * A port each reply of which carries the time. A worker's clocks then follow from its replies alone:
 * what it does next is the same whenever it has seen the same.
 */
export type Timed<Port> = {
  readonly [Name in keyof Port]: Port[Name] extends (...args: infer Args) => Promise<infer Reply>
    ? (...args: Args) => Promise<readonly [reply: Reply, now: Instant]>
    : Port[Name]
}

type Method = (...args: unknown[]) => Promise<unknown>

export function timed<Port extends object>(port: Port, clock: Clock): Timed<Port> {
  return through(port, run => async (...args) => {
    const reply = await run(...args)
    return [reply, clock.now()]
  }) as Timed<Port>
}

/** The port again, on the side of the worker; `hear` is told the time of each reply. */
export function untimed<Port extends object>(
  port: Timed<Port>,
  hear: (now: Instant) => void,
): Port {
  return through(port, run => async (...args) => {
    const [reply, now] = (await run(...args)) as readonly [unknown, Instant]
    hear(now)
    return reply
  }) as Port
}

/** The same port, with something around each of its methods. */
export function through<Port extends object>(
  port: Port,
  around: (run: Method, name: string) => Method,
): Port {
  return new Proxy(port, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name)
      if (typeof value !== 'function') return value
      return around(
        (...args) => Reflect.apply(value, target, args) as Promise<unknown>,
        String(name),
      )
    },
  })
}

/** The same port, some of its methods replaced. */
export function replacing<Port extends object>(port: Port, replaced: Partial<Port>): Port {
  return new Proxy(port, {
    get(target, name) {
      if (Object.hasOwn(replaced, name)) return Reflect.get(replaced, name) as unknown
      const value: unknown = Reflect.get(target, name)
      return typeof value === 'function' ? (value.bind(target) as unknown) : value
    },
  })
}
