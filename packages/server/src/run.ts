import type { Command } from 'commander'
import type { ExitCode } from './exit-codes.ts'
import type { Io } from './io.ts'

/** Carries out one command with the streams of the process and keeps its exit code. */
export type Run = (command: (io: Io) => Promise<ExitCode>) => Promise<void>

/** Adds one command to the program. */
export type Register = (program: Command, run: Run) => void
