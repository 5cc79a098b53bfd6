import { fileURLToPath } from 'node:url'

/** The command itself, for processes that the demo starts. */
export const COMMAND_FILE: string = fileURLToPath(new URL('../../bin/holdfast.js', import.meta.url))
