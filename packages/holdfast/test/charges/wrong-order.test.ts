import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { expect, test } from 'vitest'

// Compiles small programs against the room, as a user's editor does.

const FILE = fileURLToPath(new URL('./user-program.ts', import.meta.url))
const HEAD = `
import { type Authorisation, type Charged, type Charges } from '../../src/charges.ts'
declare const charges: Charges
const parties = { key: 'call-1', buyer: 'user:42', seller: 'seller:7' }
function deliver(proof: Charged): string { return proof.key }
`

const options: ts.CompilerOptions = {
  strict: true,
  noEmit: true,
  target: ts.ScriptTarget.ES2023,
  lib: ['lib.es2023.d.ts'],
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  allowImportingTsExtensions: true,
  exactOptionalPropertyTypes: true,
  skipLibCheck: true,
  types: ['node'],
}

const disk = ts.createCompilerHost(options)
let earlier: ts.Program | undefined

/** The codes of what the compiler finds wrong in a program, once each. */
function errorsOf(program: string): number[] {
  const text = HEAD + program
  const host: ts.CompilerHost = {
    ...disk,
    fileExists: name => name === FILE || disk.fileExists(name),
    readFile: name => (name === FILE ? text : disk.readFile(name)),
    getSourceFile: (name, version) =>
      name === FILE
        ? ts.createSourceFile(name, text, version)
        : (earlier?.getSourceFile(name) ?? disk.getSourceFile(name, version)),
  }
  earlier = ts.createProgram([FILE], options, host, earlier)
  const source = earlier.getSourceFile(FILE)
  const found = [
    ...earlier.getSyntacticDiagnostics(source),
    ...earlier.getSemanticDiagnostics(source),
  ]
  return [...new Set(found.map(({ code }) => code))]
}

const NO_PROPERTY = 2339
const NOT_ASSIGNABLE = 2345
const NOT_A_VALUE = 1362

test('a charge before what depends on it compiles', () => {
  const right = `
    const result = await charges.charge({ ...parties, price: 10n })
    if (result.ok) deliver(result.charged)
    const held = await charges.authorise({ ...parties, ceiling: 10n, expiresInMs: 1_000 })
    if (held.ok) {
      const captured = await charges.capture(held.authorisation, 5n)
      if (captured.ok) deliver(captured.charged)
    }
    export {}`
  expect(errorsOf(right)).toEqual([])
})

test.each([
  ['a seller is credited by itself', `charges.credit('seller:7', 10n)`, NO_PROPERTY],
  ['a charge has no buyer', `charges.charge({ key: 'k', seller: 's', price: 1n })`, NOT_ASSIGNABLE],
  ['a charge has no seller', `charges.charge({ key: 'k', buyer: 'b', price: 1n })`, NOT_ASSIGNABLE],
  [
    'a share is named beside the schedule',
    `charges.charge({ ...parties, price: 1n, shares: [8n, 2n] })`,
    2353,
  ],
  [
    'a top-up goes to a seller',
    `charges.topUp({ key: 'k', seller: 's', amount: 1n, from: 'world' })`,
    2353,
  ],
  ['a price is a number', `charges.charge({ ...parties, price: 0.1 })`, 2322],
  [
    'an authorisation does not expire',
    `charges.authorise({ ...parties, ceiling: 1n })`,
    NOT_ASSIGNABLE,
  ],
  ['something is captured before it is authorised', `charges.capture(parties, 5n)`, NOT_ASSIGNABLE],
  [
    'an answer is taken for a charge before anybody looked',
    `deliver(await charges.charge({ ...parties, price: 10n }))`,
    NOT_ASSIGNABLE,
  ],
  [
    'something is delivered before the charge',
    `deliver({ ...parties, asset: 'GBP/2', price: 1n, shares: [], paidFrom: [], version: '', recorded: '', isCharged: true })`,
    NOT_ASSIGNABLE,
  ],
  [
    'an authorisation is taken for a charge',
    `declare const held: Authorisation; deliver(held)`,
    NOT_ASSIGNABLE,
  ],
  [
    'a proof is made by hand',
    `import { Charged as Proof } from '../../src/charges.ts'; new Proof()`,
    NOT_A_VALUE,
  ],
])('where %s, nothing compiles', (_, program, code) => {
  expect(errorsOf(`${program}; export {}`)).toContain(code)
})
