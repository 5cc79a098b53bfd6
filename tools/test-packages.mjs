// npm run test:packages: packs every public package, lints what was packed, installs it into an
// empty project, and imports every entry point there.
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const temporary = mkdtempSync(join(tmpdir(), 'holdfast-packages-'))
process.on('exit', () => rmSync(temporary, { recursive: true, force: true }))

const packages = readdirSync(join(root, 'packages'))
  .map(name => join(root, 'packages', name))
  .map(folder => ({ folder, manifest: JSON.parse(readFileSync(join(folder, 'package.json'))) }))
  .filter(({ manifest }) => !manifest.private)
  .map(({ folder, manifest }) => ({ manifest, tarball: pack(folder) }))

for (const { manifest, tarball } of packages) {
  console.log(`== ${manifest.name}`)
  run(join(root, 'node_modules', '.bin', 'publint'), ['run', tarball, '--strict'])
  run(join(root, 'node_modules', '.bin', 'attw'), [tarball, '--profile', 'esm-only'])
  importAlone(manifest)
}

/** Packs a package as it would be published, and gives the path of the tarball. */
function pack(folder) {
  const args = ['pack', folder, '--pack-destination', temporary, '--json', '--ignore-scripts']
  const [{ filename }] = JSON.parse(run('npm', args, { stdio: ['ignore', 'pipe', 'inherit'] }))
  return join(temporary, filename)
}

/** Installs a package, with those of this repository that it needs, and imports all of it. */
function importAlone(manifest) {
  const project = join(temporary, manifest.name.replace('/', '-'))
  mkdirSync(project)
  const ours = new Map(packages.map(({ manifest: { name }, tarball }) => [name, tarball]))
  const needed = [manifest.name, ...Object.keys(manifest.dependencies ?? {})]
  const dependencies = needed.filter(name => ours.has(name)).map(name => [name, ours.get(name)])
  writeFileSync(
    join(project, 'package.json'),
    JSON.stringify({
      private: true,
      type: 'module',
      dependencies: Object.fromEntries(dependencies.map(([name, path]) => [name, `file:${path}`])),
    }),
  )
  const quiet = ['--no-audit', '--no-fund', '--prefer-offline', '--omit=peer', '--loglevel=error']
  run('npm', ['install', ...quiet], { cwd: project })
  for (const subpath of Object.keys(manifest.exports)) {
    if (!subpath.endsWith('.json')) importEntry(project, manifest, subpath)
  }
  for (const command of Object.keys(manifest.bin ?? {})) {
    run(join(project, 'node_modules', '.bin', command), ['--help'], { cwd: project })
  }
}

/** Imports one entry point. Only a driver that the package calls an optional peer may be missing. */
function importEntry(project, manifest, subpath) {
  const specifier = manifest.name + subpath.slice(1)
  const code = `await import(${JSON.stringify(specifier)})`
  const args = ['--input-type=module', '--eval', code]
  const { status, stderr } = spawnSync(process.execPath, args, { cwd: project, encoding: 'utf8' })
  if (status === 0) {
    console.log(`imported ${specifier}`)
    return
  }
  const missing = /Cannot find package '([^']+)'/.exec(stderr)?.[1]
  if (missing !== undefined && manifest.peerDependenciesMeta?.[missing]?.optional === true) {
    console.log(`imported ${specifier} as far as its driver ${missing}, which is not installed`)
    return
  }
  fail(`${specifier} cannot be imported: ${stderr}`)
}

function run(command, args, options = {}) {
  const all = { cwd: root, encoding: 'utf8', stdio: ['ignore', 'inherit', 'inherit'], ...options }
  const { status, stdout, error } = spawnSync(command, args, all)
  if (status !== 0) fail(`${command} ${args.join(' ')} failed: ${error?.message ?? status}`)
  return stdout
}

function fail(message) {
  console.error(message)
  process.exit(1)
}
