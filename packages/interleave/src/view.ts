import type { View } from './program.ts'

/** One method of one task's ports: where it is found in a run, and its name for people. */
export interface Method {
  readonly task: number
  /** `store.read` is `read` of what is found under `store`. */
  readonly path: readonly PropertyKey[]
  readonly name: PropertyKey
  readonly label: string
}

/** What the tasks do with their views. */
export interface Uses {
  /** Takes a call of a method: it waits for its turn. */
  readonly park: (method: Method, args: unknown[]) => Promise<unknown>
  /** A plain field was read that is not always the same. */
  readonly changed: (message: string) => void
}

type Fields = Readonly<Record<PropertyKey, unknown>>

/**
 * A task's view of its ports: each method waits for its turn. It is made once, and what it is asked
 * for is looked up in the run that is under way (`current`); what was found once is kept on the view
 * itself, because the proxy behind it takes more time than all else of a step.
 */
export function viewOf<Ports extends object>(
  task: number,
  current: () => Ports,
  uses: Uses,
): View<Ports> {
  return namespace(task, [], current, uses) as View<Ports>
}

function namespace(
  task: number,
  path: readonly PropertyKey[],
  current: () => object,
  uses: Uses,
): object {
  const fields = new Map<PropertyKey, unknown>()
  const plain = (name: PropertyKey, value: unknown): unknown => {
    if (!fields.has(name)) fields.set(name, value)
    else if (!Object.is(fields.get(name), value))
      uses.changed(
        `ports.${labelOf(name)} is not always the same (${String(fields.get(name))}, then ${String(value)}), ` +
          'and to read it is no step: make it a method',
      )
    return value
  }
  const labelOf = (name: PropertyKey) => [...path, name].map(String).join('.')
  const member = (name: PropertyKey, value: unknown): unknown => {
    if (typeof value !== 'function') {
      const inside = () => (current() as Fields)[name] as object
      return namespace(task, [...path, name], inside, uses)
    }
    const method = { task, path, name, label: labelOf(name) }
    return (...args: unknown[]) => uses.park(method, args)
  }
  const unknown = new Proxy<object>(
    {},
    {
      get(_, name, view: object) {
        const value = (current() as Fields)[name]
        if (value === null || (typeof value !== 'object' && typeof value !== 'function'))
          return plain(name, value)
        const found = member(name, value)
        // Configurable, so that a task may put a proxy of its own around its view.
        Object.defineProperty(view, name, { value: found, configurable: true })
        return found
      },
      has: (_, name) => name in current(),
      set: (_, name) => {
        throw new TypeError(`A task cannot set ${labelOf(name)}: ports are for calls`)
      },
    },
  )
  return Object.create(unknown) as object
}

/** Where a method stands in the ports of a run: the object that has it. */
export function ownerOf(ports: object, { path }: Method): Fields {
  let owner = ports as Fields
  for (const name of path) owner = owner[name] as Fields
  return owner
}
