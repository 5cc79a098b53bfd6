/** A task waits for something that is no port call, so nobody but the event loop decides when it goes on. */
export class UncontrolledAwait extends Error {
  override readonly name: string = 'UncontrolledAwait'
  readonly schedule: string
  /** `stack` ends with where the task made its last port call, as far as it is known. */
  constructor(
    task: string,
    schedule: string,
    lastCall: { readonly label: string; readonly stack: string | undefined } | null,
  ) {
    const last = lastCall === null ? 'before its first port call' : `after ${lastCall.label}`
    super(
      `Task ${task} waits for something that is no port call, ${last} (schedule ${JSON.stringify(schedule)}). ` +
        'Every wait has to go through a port: a timer, a lock, a request, another task.',
    )
    this.schedule = schedule
    if (lastCall?.stack !== undefined) {
      this.stack = `${this.name}: ${this.message}\n${lastCall.stack.split('\n').slice(1).join('\n')}`
    }
  }
}

/** The same schedule did not lead to the same steps. */
export class Nondeterminism extends Error {
  override readonly name: string = 'Nondeterminism'
  /** Which step differs, from 1 on; 0 where tasks differ before any of them. */
  readonly step: number
  constructor(step: number, schedule: string, before: string, now: string) {
    super(
      `${step === 0 ? 'The start' : `Step ${step} of schedule ${JSON.stringify(schedule)}`} differs from run to run: ${before}, then ${now}. ` +
        'Time, chance and shared state have to come from setup, or through ports.',
    )
    this.step = step
  }
}

/** The program cannot be explored as it is written; the message says why. */
export class InvalidProgram extends Error {
  override readonly name: string = 'InvalidProgram'
}
