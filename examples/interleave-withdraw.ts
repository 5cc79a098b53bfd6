// Two withdrawals of 80 from a balance of 100, in every order that their four steps can take.
import { explore, formatReport, type View } from '@holdfast/interleave'

const world = () => ({ balance: 100n, paid: 0n })

const ports = (w: ReturnType<typeof world>) => ({
  load: () => 'user:1',
  read: () => w.balance,
  write: (balance: bigint) => void (w.balance = balance),
  pay: (amount: bigint) => void (w.paid += amount),
})

async function withdraw(p: View<ReturnType<typeof ports>>): Promise<void> {
  await p.load()
  const balance = await p.read()
  if (balance < 80n) return
  await p.write(balance - 80n)
  await p.pay(80n)
}

const report = await explore({
  setup: world,
  ports,
  tasks: [withdraw, withdraw],
  invariant: w => w.paid + w.balance === 100n,
})
console.log(formatReport(report))
