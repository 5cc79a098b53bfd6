import { EXIT } from './exit-codes.ts'
import { processIo } from './io.ts'
import { runHoldfast } from './program.ts'

// Only the exit code is set, so that Node ends by itself once stdout has been written.
const io = processIo()
const exitCode = await runHoldfast(process.argv.slice(2), io)
const failure = await io.finish()
if (failure) io.note(`Could not write the output: ${failure.message}`)
process.exitCode = failure && exitCode < EXIT.notDone ? EXIT.notDone : exitCode
