export const LEGS_MAX = 100
export const SOURCES_MAX = 100
export const META_BYTES_MAX = 2048

/** Ten years of 365 days. */
export const EXPIRES_IN_MS_MAX = 315_360_000_000
