export { runHoldfast } from './program.ts'
export { EXIT, type ExitCode } from './exit-codes.ts'
export type { Io } from './io.ts'
