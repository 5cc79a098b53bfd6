/** What is tried in every run of the suite, or what `npm run test:long` tries, which takes longer. */
export function rounds<T>(how: { readonly usual: T; readonly long: T }): T {
  return process.env['HOLDFAST_LONG'] === undefined ? how.usual : how.long
}
