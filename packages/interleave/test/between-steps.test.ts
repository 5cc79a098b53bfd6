import { expect, test } from 'vitest'
import { explore } from '../src/index.ts'

test('what a task does right after a call comes before the next step', async () => {
  interface Log {
    readonly lines: string[]
  }
  const logs = async ({ say }: { say: (what: string) => Promise<void> }) => {
    for (const what of ['1', '2']) {
      const said = say(what)
      // Not a step: but in every order it stands before what the call says.
      lines.push(`before ${what}`)
      await said
    }
  }
  let lines: string[] = []
  const report = await explore({
    setup: (): Log => {
      lines = []
      return { lines }
    },
    ports: log => ({
      say: (what: string) => {
        log.lines.push(`said ${what}`)
      },
    }),
    tasks: [logs],
    invariant: log => log.lines.join() === 'before 1,said 1,before 2,said 2',
    // Runs it again when all is counted and known, too.
    random: { seed: 1 },
    bounds: { orders: 3 },
  })
  expect(report).toMatchObject({ orders: 3n, violations: 0n })
})
