import { bigintAsText } from '../ledger/wire.ts'
import type { ReconciliationReport } from './report.ts'

/** A report as JSON. Amounts are decimal strings of minor units; those that leave have a minus. */
export function reportAsJson(report: ReconciliationReport): string {
  return `${JSON.stringify(report, bigintAsText, 2)}\n`
}
