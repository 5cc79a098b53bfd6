import type { ReconciliationReport } from './report.ts'

/** A report as JSON. Amounts are decimal strings of minor units; those that leave have a minus. */
export function reportAsJson(report: ReconciliationReport): string {
  const text = JSON.stringify(
    report,
    (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value),
    2,
  )
  return `${text}\n`
}
