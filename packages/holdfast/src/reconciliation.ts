export * from './reconciliation/bank-profile.ts'
export * from './reconciliation/finding.ts'
export * from './reconciliation/ports.ts'
export {
  Reconciliation,
  type Reconciled,
  type ReconciliationOptions,
} from './reconciliation/reconcile.ts'
export {
  isClean,
  type LineResult,
  type LineResultRow,
  type ReconciliationReport,
  type Standing,
  type StandingRow,
  type StatementRow,
  type CountedSum,
} from './reconciliation/report.ts'
export { reportAsCsv } from './reconciliation/report-csv.ts'
export { reportAsHtml } from './reconciliation/report-html.ts'
export { reportAsJson } from './reconciliation/report-json.ts'
export { reportAsText } from './reconciliation/report-text.ts'
