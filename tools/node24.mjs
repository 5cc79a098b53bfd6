// npm run test:node24 [-- FILE...]: the test suite on the newest Node 24 from npm. The package `node`
// fetches that of the platform in an install script, which npm may not run: so it is named here.
import { spawnSync } from 'node:child_process'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

// What takes long, and asks the database or the rules more than Node: `npm test` runs it, and here it runs when
// its file is named, so that both suites end within the time that a change can wait for.
const LEFT_OUT = [
  'packages/holdfast/src/statements/large-files.test.ts',
  'packages/holdfast/test/check-random.test.ts',
  'packages/holdfast/test/conformance/pgbouncer.test.ts',
  'packages/holdfast/test/differential/differential.test.ts',
  'packages/holdfast/test/kill/kill.test.ts',
  'packages/holdfast/test/payouts/crash.test.ts',
  'packages/holdfast/test/pglite/durability.test.ts',
  'packages/holdfast/test/reconciliation/processes.test.ts',
  'packages/holdfast/test/reconciliation/reconcile-properties.test.ts',
  'packages/holdfast/test/interleaving/*.test.ts',
  'packages/interleave/test/postgres.test.ts',
  'packages/server/test/failures.test.ts',
  'packages/server/test/pay.test.ts',
  'packages/server/test/payday.test.ts',
]

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const folder = join(root, 'node_modules', '.cache', 'node24')
const platform = process.platform === 'win32' ? 'win' : process.platform
const name = `node-${platform}-${process.arch}`

run('npm', [
  ...['install', '--prefix', folder, '--no-save', '--ignore-scripts', '--no-audit', '--no-fund'],
  `${name}@24`,
])
const bin = join(folder, 'node_modules', name, 'bin')
const env = { ...process.env, PATH: `${bin}${delimiter}${process.env.PATH ?? ''}` }
const node = join(bin, process.platform === 'win32' ? 'node.exe' : 'node')
run(node, ['--version'], env)
const files = process.argv.slice(2)
const scope = files.length > 0 ? files : LEFT_OUT.map(file => `--exclude=${file}`)
run(node, [join(root, 'node_modules', 'vitest', 'vitest.mjs'), 'run', ...scope], env)

function run(command, args, environment = process.env) {
  const { status } = spawnSync(command, args, { cwd: root, env: environment, stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
}
