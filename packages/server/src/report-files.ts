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

const REASONS: Readonly<Record<string, string>> = {
  EEXIST: 'is a file, not a folder',
  ENOTDIR: 'a part of its path is a file',
  EISDIR: 'a folder stands where a file of the report would',
  EACCES: 'may not be written: permission denied',
}

function whyUnwritable(error: unknown): string {
  const { code = '', message } = error as NodeJS.ErrnoException
  return REASONS[code] ?? `cannot be written: ${message}`
}

/** Makes the folder of a report. Throws {@link BadInput} where it cannot be written to. */
export function prepareFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true })
    for (const name of Object.keys(FILES)) writeFileSync(join(folder, name), '', { flag: 'a' })
  } catch (error) {
    throw new BadInput(`--report ${folder}: ${whyUnwritable(error)}`)
  }
}

/** Writes a report as JSON, as CSV and as one page of HTML. */
export function writeReport(folder: string, report: ReconciliationReport): void {
  for (const [name, print] of Object.entries(FILES))
    writeFileSync(join(folder, name), print(report))
}
