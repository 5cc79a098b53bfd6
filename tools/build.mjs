// Builds every package: code and declarations by tsc, then copies the .sql and .lua files beside the code
// that reads them, and takes away what has no source any more.
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, readdirSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const packages = ['interleave', 'holdfast', 'simulated-bank', 'server'].map(name =>
  join(root, 'packages', name),
)

const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc')
const compiled = spawnSync(process.execPath, [compiler, '-b', ...packages], { stdio: 'inherit' })
if (compiled.status !== 0) process.exit(compiled.status ?? 1)

for (const folder of packages) {
  for (const file of readdirSync(join(folder, 'src'), { recursive: true })) {
    if (/\.(sql|lua)$/.test(file)) cpSync(join(folder, 'src', file), join(folder, 'dist', file))
  }
  for (const file of readdirSync(join(folder, 'dist'), { recursive: true })) {
    const source = file.replace(/(\.d\.ts|\.js)(\.map)?$/, '.ts')
    if (/\.(ts|sql|lua)$/.test(source) && !existsSync(join(folder, 'src', source))) {
      rmSync(join(folder, 'dist', file))
    }
  }
}
