/** How long a worker may keep a payout without an answer before another one may look after it. */
export const LEASE_MS_DEFAULT = 120_000
/** From before the commit of an attempt to the call of the gateway: later it is not made. */
export const SEND_WITHIN_MS_DEFAULT = 10_000
/** The most attempts of one payout that are made by resolving it. */
export const ATTEMPTS_MAX = 20
/** The most payouts that are worked on at the same moment. */
export const CONCURRENCY_MAX = 1_000
/** The most rows that go to the database in one statement. */
export const ROWS_AT_ONCE = 500
/** A reason or a reference from outside is cut to this many characters. */
export const REASON_CHARS_MAX = 200
export const PAYEE_NAME_CHARS_MAX = 140
export const DESTINATION_CHARS_MAX = 140

/** How often a return is tried again because another one of the same payout came in between. */
export const RETURN_TRIES_MAX = 10
