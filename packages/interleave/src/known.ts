/** What has to be there: where it is not, this package has a fault. */
export function known<Value>(value: Value | null | undefined): Value {
  if (value === null || value === undefined) throw new Error('A fault of @holdfast/interleave')
  return value
}
