/** The most legs in one transfer or hold. */
export const LEGS_MAX = 100
/** The most accounts that one leg may take its money from. */
export const SOURCES_MAX = 100
/** The most bytes of UTF-8 in the JSON of a movement's meta, and in a reason. */
export const META_BYTES_MAX = 2048

/** Ten years of 365 days. */
export const EXPIRES_IN_MS_MAX = 315_360_000_000

/** The most rows in one page of a read. */
export const PAGE_MAX = 1_000

/** The limit of a page, the most where none is given. Throws a RangeError for what is no limit. */
export function pageLimit(limit: number = PAGE_MAX): number {
  if (!Number.isInteger(limit) || limit < 1 || limit > PAGE_MAX)
    throw new RangeError(`limit: a whole number from 1 to ${PAGE_MAX}`)
  return limit
}
