// npm run test:mutation: changes the rules in every small way, and sees that a test notices.
const holdfast = 'packages/holdfast/src'

/** @type {import('@stryker-mutator/api/core').PartialStrykerOptions} */
export default {
  mutate: [
    `${holdfast}/{money,ledger,reconciliation}/**/*.ts`,
    `${holdfast}/payouts/transitions.ts`,
    `!${holdfast}/**/*.test.ts`,
  ],
  testRunner: 'vitest',
  plugins: ['@stryker-mutator/vitest-runner'],
  vitest: { configFile: 'tools/mutation.vitest.config.ts' },
  coverageAnalysis: 'perTest',
  concurrency: 2,
  thresholds: { high: 100, low: 95, break: 95 },
  tempDirName: '.mutation',
  reporters: ['clear-text', 'progress', 'json'],
  clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
  jsonReporter: { fileName: 'node_modules/.cache/mutation.json' },
}
