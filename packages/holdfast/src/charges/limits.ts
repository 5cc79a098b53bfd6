/** The most versions of one schedule. */
export const VERSIONS_MAX = 1_000
/** The most fees in one version: their roles and the recipients fit into the meta of a movement. */
export const FEES_MAX = 20
/** The most roles of one charge whose recipients the caller names. */
export const RECIPIENTS_MAX = 4
/** The largest denominator of an exact fraction. */
export const DENOMINATOR_MAX = 1_000_000_000n
/** How often a refund or a conversion is made anew where another one came in between. */
export const TRIES_MAX = 100
/** The most characters in a caller's key: the room makes longer ones of it. */
export const KEY_CHARS_MAX = 100
/** The most characters in the name of a buyer, a seller or a spending key. */
export const PARTY_CHARS_MAX = 64
/** How many keys are looked up in one read of a statement. */
export const KEYS_AT_ONCE = 500
