import { expect, test } from 'vitest'
import { MemoryStore } from '../src/stores/memory/memory-store.ts'
import { inOneWord, readVectors } from './support/vectors.ts'
test('v', async () => {
  const v = readVectors()!
  const store = new MemoryStore()
  for (const s of v) {
    const out = (await store.apply(s.name, s.commands, '9999-12-31T00:00:00.000Z')).map(inOneWord)
    for (const [i, o] of out.entries()) expect(`${s.name} ${i} ${o}`).toBe(`${s.name} ${i} ${s.outcomes[i]}`)
    for (const [id, a] of Object.entries(s.accounts)) {
      const got = await store.account(s.name, id)
      expect([s.name, id, String(got?.posted), String(got?.held), String(got?.version)]).toEqual([s.name, id, a.posted, a.held, String(a.version)])
    }
  }
})
