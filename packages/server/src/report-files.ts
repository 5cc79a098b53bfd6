import {
  reportAsCsv,
  reportAsHtml,
  reportAsJson,
  type ReconciliationReport,
} from 'holdfast/reconciliation'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { BadInput } from './bad-input.ts'

/** What each file of a report holds. */
const FILES: Readonly<Record<string, (report: ReconciliationReport) => string>> = {
  'report.json': reportAsJson,
  'report.csv': reportAsCsv,
  'report.html': reportAsHtml,
}

/** Makes the folder of a report. Throws {@link BadInput} where it cannot be written to. */
export function prepareFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true })
    for (const name of Object.keys(FILES)) writeFileSync(join(folder, name), '', { flag: 'a' })
  } catch (error) {
    throw new BadInput(`--report ${folder}: cannot be written: ${(error as Error).message}`)
  }
}

/** Writes a report as JSON, as CSV and as one page of HTML. */
export function writeReport(folder: string, report: ReconciliationReport): void {
  for (const [name, print] of Object.entries(FILES))
    writeFileSync(join(folder, name), print(report))
}
