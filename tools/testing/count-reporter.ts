import type { SerializedError } from 'vitest'
import type { Reporter, TestModule } from 'vitest/node'

/** What came out of a run. */
export interface Count {
  readonly passed: number
  readonly failed: number
}

/**
 * Counts what passed and what failed. A failure is a failed test, a file or a group that broke
 * outside its tests (it could not be loaded, a hook threw), and an error that no test caught.
 */
export function count(modules: readonly TestModule[], unhandled: readonly unknown[]): Count {
  const tests = modules.flatMap(module => [...module.children.allTests()])
  const groups = modules.flatMap(module => [module, ...module.children.allSuites()])
  const states = tests.map(test => test.result().state)
  return {
    passed: states.filter(state => state === 'passed').length,
    failed:
      states.filter(state => state === 'failed' || state === 'pending').length +
      groups.filter(group => group.errors().length > 0).length +
      unhandled.length,
  }
}

/** Ends a run with the plain line `N passed, N failed`; a run in which nothing passed has failed. */
export class CountReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly SerializedError[]): void {
    const { passed, failed } = count(modules, unhandled)
    if (passed === 0 || failed > 0) process.exitCode = 1
    console.log(`${passed} passed, ${failed} failed`)
  }
}
