export * from './ledger/command.ts'
export * from './ledger/movement.ts'
export * from './ledger/outcome.ts'
export * from './ledger/store.ts'
export {
  EXPIRES_IN_MS_MAX,
  LEGS_MAX,
  META_BYTES_MAX,
  PAGE_MAX,
  SOURCES_MAX,
} from './ledger/limits.ts'
export { decide } from './ledger/decide.ts'
export { check, type CheckProgress } from './ledger/check.ts'
export { CHECK_CODES, type CheckCode, type Difference } from './ledger/check-codes.ts'
export type { Changes, LedgerState } from './ledger/draft.ts'
export { Ledger, LedgerBusy, LIST_COMMANDS_MAX, type LedgerOptions } from './ledger/ledger.ts'
export { OutcomeUnknown } from './ledger/list-sender.ts'
export { decodeCommand, MalformedCommand, toWireJson } from './ledger/wire.ts'
export { isAsset, isKey, isName, NAME_RULE } from './ledger/shape.ts'
export { MemoryStore } from './stores/memory/memory-store.ts'
export { addMs, msBetween, parseInstant, systemClock, type Clock, type Instant } from './instant.ts'
export { systemTimer, type Timer } from './timer.ts'
