// Tries for the lock of a folder at every line of its input, and keeps it once it has it.
import { createInterface } from 'node:readline'
import { lockFolder } from '../../src/stores/postgres/pglite/folder-lock.ts'

const [folder = ''] = process.argv.slice(2)
process.stdout.write('ready\n')
for await (const attempt of createInterface(process.stdin)) {
  try {
    lockFolder(folder)
    process.stdout.write(`${attempt} won\n`)
  } catch (error) {
    process.stdout.write(`${attempt} lost: ${String(error)}\n`)
  }
}
