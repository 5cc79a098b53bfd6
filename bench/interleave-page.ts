// Runs in a page: explores for a while, and posts how many orders ran in a second.
import { copies, explored, rateOf, withdraw } from './interleave-programs.ts'

const DURATION_MS = 4_000
const WARM_UP = 2_000

const run = (orders: number) => explored(copies(withdraw, 3), orders)
await run(WARM_UP)
const rate = await rateOf(DURATION_MS, run)
await fetch('/answer', { method: 'POST', body: String(rate) })
