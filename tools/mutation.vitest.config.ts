import { defineConfig } from 'vitest/config'
import everything from '../vitest.config.ts'

const holdfast = 'packages/holdfast'

/** The tests that hold the rules which `npm run test:mutation` changes, as fast as they can be had. */
export default defineConfig({
  ...everything,
  test: {
    ...everything.test,
    include: [
      `${holdfast}/src/{money,ledger,reconciliation}/**/*.test.ts`,
      `${holdfast}/src/payouts/transitions.test.ts`,
      `${holdfast}/test/conformance/memory.test.ts`,
      `${holdfast}/test/check-*.test.ts`,
      `${holdfast}/test/reconciliation/{late-returns,pages,reconcile}.test.ts`,
    ],
    reporters: ['default'],
  },
})
