import { defineConfig } from 'vitest/config'
import { CountReporter } from './tools/testing/count-reporter.ts'

export default defineConfig({
  resolve: { alias: { '#testing': new URL('./tools/testing', import.meta.url).pathname } },
  test: {
    include: [
      'packages/*/src/**/*.test.ts',
      'packages/*/test/**/*.test.ts',
      'examples/**/*.test.ts',
    ],
    globalSetup: './tools/testing/postgres-setup.ts',
    reporters: ['default', new CountReporter()],
    // Most of the time is spent in waiting for processes and disks.
    maxWorkers: 3,
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
})
