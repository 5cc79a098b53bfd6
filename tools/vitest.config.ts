import { defineConfig } from 'vitest/config'
import { CountReporter } from './testing/count-reporter.ts'

/** The rules of the repository: `npm run check:tidy`. */
export default defineConfig({
  root: new URL('..', import.meta.url).pathname,
  test: {
    include: ['tools/**/*.test.ts'],
    testTimeout: 120_000,
    reporters: ['default', new CountReporter()],
  },
})
