import { expect, test } from 'vitest'
import { explore, formatOrder, formatReport, replay, reportToJson } from '../src/index.ts'
import { toHoldInEveryOrder } from '../src/vitest.ts'
import { naive, reserve, shop, shopState } from './programs.ts'

test('a report says what was counted, and shows the shortest order that goes wrong', async () => {
  expect(formatReport(await explore(shop(naive, naive)))).toBe(`\
54 orders, which are all: 36 break the invariant

AABBBBAA breaks the invariant (2 switches)
      A                           B
   1  account.load() -> "user:1"
   2  account.read() -> 100n
   3                              account.load() -> "user:1"
   4                              account.read() -> 100n
   5                              account.write(20n)
   6                              bank.pay(80n)
   7  account.write(20n)
   8  bank.pay(80n)`)
})

test('a report of success says how much was seen', async () => {
  const program = shop(reserve, reserve)
  expect(formatReport(await explore(program))).toBe('24 orders, which are all: none goes wrong')
  expect(formatReport(await explore({ ...program, state: shopState }))).toBe(
    '24 orders, which are all, by merged states: none goes wrong',
  )
  expect(formatReport(await explore({ ...program, bounds: { orders: 5 } }))).toBe(
    '5 orders, not all (bound: orders): none goes wrong',
  )
  const random = { seed: 1 }
  expect(formatReport(await explore({ ...program, random }))).toBe(
    '1,000 orders, drawn by chance, 24 of them different: none goes wrong',
  )
})

test('faults, errors and tasks that wait are told', async () => {
  const order = await replay(shop(reserve, reserve), 'A-BB~')
  expect(formatOrder(order)).toBe(`\
A-BB~ goes well (1 switch)
      A                          B
   1  account.load() [not sent]
   2                             account.load() -> "user:1"
   3                             account.reserve(80n) -> true [reply lost]
A threw ReplyLost: the reply of account.load was lost
B threw ReplyLost: the reply of account.reserve was lost`)
})

test('JSON has bigints as decimal strings', async () => {
  const json = JSON.parse(reportToJson(await explore(shop(naive, naive)))) as Record<
    string,
    unknown
  >
  expect(json).toMatchObject({
    orders: '54',
    violations: '36',
    exhaustive: true,
    shortest: { schedule: 'AABBBBAA', steps: expect.any(Array) as unknown },
  })
})

expect.extend({ toHoldInEveryOrder })

test('the matcher passes where no order goes wrong, and else shows one', async () => {
  await expect(shop(reserve, reserve)).toHoldInEveryOrder()
  const failing = expect(shop(naive, naive)).toHoldInEveryOrder()
  await expect(failing).rejects.toThrow(/36 break the invariant[^]*REPLAY='AABBBBAA'/)
  await expect(shop(naive, naive)).not.toHoldInEveryOrder()
})

test('the matcher replays one order when it is told to', async () => {
  process.env['REPLAY'] = 'AAAABB'
  try {
    await expect(shop(naive, naive)).toHoldInEveryOrder()
    process.env['REPLAY'] = 'AABBBBAA'
    const failing = expect(shop(naive, naive)).toHoldInEveryOrder()
    await expect(failing).rejects.toThrow('AABBBBAA breaks the invariant')
  } finally {
    delete process.env['REPLAY']
  }
})

test('whatever a port is given can be shown', async () => {
  const cycle: { self?: unknown } = {}
  cycle.self = cycle
  const report = await explore({
    setup: () => null,
    ports: () => ({ send: (...args: unknown[]) => args.length }),
    tasks: [
      async ({ send }) => {
        await send(Symbol('s'), cycle, 10n ** 100n)
        throw new Error('no')
      },
    ],
    invariant: () => true,
  })
  expect(formatReport(report)).toContain(
    '   1  send(Symbol(s), [object Object], 100000000000000000000000000000000000000…) -> 3',
  )
  expect(JSON.parse(reportToJson(report))).toMatchObject({
    errors: '1',
    shortest: {
      schedule: 'A',
      steps: [{ args: ['Symbol(s)', '[object Object]', `1${'0'.repeat(100)}n`] }],
    },
  })
})

test('an order without a step is shown as one', async () => {
  const report = await explore({
    setup: () => null,
    ports: () => ({}),
    tasks: [() => Promise.reject(new Error('no'))],
    invariant: () => true,
  })
  expect(formatReport(report)).toContain('No step ends with an error (0 switches)')
})
