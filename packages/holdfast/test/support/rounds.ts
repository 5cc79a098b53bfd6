/** How often something is tried: as in every run of the suite, or as `npm run test:long` does. */
export function rounds(how: { readonly usual: number; readonly long: number }): number {
  return process.env['HOLDFAST_LONG'] === undefined ? how.usual : how.long
}
