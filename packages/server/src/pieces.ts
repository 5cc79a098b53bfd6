/** So many things are looked up at the same moment. */
const LOOK_UPS_AT_ONCE = 100

/** Cuts a list into pieces of at most `size`. */
export function* inPieces<T>(items: readonly T[], size: number): Generator<readonly T[], void> {
  for (let start = 0; start < items.length; start += size) yield items.slice(start, start + size)
}

/** Looks things up by one question each, not more than a maximum at once; answers in their order. */
export async function lookUpEach<T, Found>(
  items: readonly T[],
  lookUp: (item: T) => Promise<Found>,
): Promise<Found[]> {
  const found: Found[] = []
  for (const piece of inPieces(items, LOOK_UPS_AT_ONCE))
    found.push(...(await Promise.all(piece.map(item => lookUp(item)))))
  return found
}
