/** A count with its noun: `1 row`, `2 rows`. `many` is for a plural that is not made with an s. */
export function counted(count: number | bigint, noun: string, many = `${noun}s`): string {
  return `${count} ${Number(count) === 1 ? noun : many}`
}
