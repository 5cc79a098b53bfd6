import { spawnSync } from 'node:child_process'
import { readFileSync, readdirSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freshDatabase, type FreshDatabase } from '#testing/database.ts'

const FOLDER = new URL('./', import.meta.url)
const TYPESCRIPT = new URL('../tools/testing/typescript.mjs', import.meta.url).href
const outputs = readdirSync(FOLDER).filter(name => name.endsWith('.out'))

let database: FreshDatabase
beforeAll(async () => {
  database = await freshDatabase()
})
afterAll(() => database.drop())

test.each(outputs)('%s is what the program prints', output => {
  const program = new URL(output.replace('.out', '.ts'), FOLDER)
  const run = spawnSync(process.execPath, ['--import', TYPESCRIPT, program.pathname], {
    encoding: 'utf8',
    env: { ...process.env, DATABASE_URL: database.url },
  })
  expect(run.stderr).toBe('')
  expect(run.stdout).toBe(readFileSync(new URL(output, FOLDER), 'utf8'))
})
