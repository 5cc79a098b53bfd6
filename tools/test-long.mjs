// npm run test:long: the tests that try something again and again, as often as it takes to trust
// them: random lists against the model, kills of processes and servers, races, histories, faults.
import { spawnSync } from 'node:child_process'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const tests = [
  'holdfast/src/statements/large-files',
  'holdfast/test/concurrency',
  'holdfast/test/differential',
  'holdfast/test/kill',
  'holdfast/test/payouts/crash',
  'holdfast/test/pglite/durability',
  'holdfast/test/reconciliation/reconcile-properties',
  'holdfast/test/redis/durability',
  'interleave/test/random-programs',
]
const { status } = spawnSync(
  process.execPath,
  [
    join(root, 'node_modules', 'vitest', 'vitest.mjs'),
    'run',
    ...tests.map(each => `packages/${each}`),
  ],
  { cwd: root, env: { ...process.env, HOLDFAST_LONG: '1' }, stdio: 'inherit' },
)
process.exit(status ?? 1)
