// npm run test:node24: the test suite on the newest Node 24 from npm. The package `node` fetches
// that of the platform in an install script, which npm may not run: so it is named here.
import { spawnSync } from 'node:child_process'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

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
run(
  node,
  [join(root, 'node_modules', 'vitest', 'vitest.mjs'), 'run', ...process.argv.slice(2)],
  env,
)

function run(command, args, environment = process.env) {
  const { status } = spawnSync(command, args, { cwd: root, env: environment, stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
}
