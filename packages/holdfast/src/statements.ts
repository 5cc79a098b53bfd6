export * from './statements/statement.ts'
export { parseMapping, type CsvMapping, type ParsedMapping } from './statements/csv/mapping.ts'
export * from './statements/intake-ports.ts'
export {
  takeStatementFile,
  takeStatementFiles,
  type FilesOutcome,
  type IntakeOutcome,
  type StatementFile,
} from './statements/intake.ts'
export { readStatements, type ReadOptions } from './statements/reader.ts'
export {
  summarize,
  type DetailJson,
  type FileJson,
  type LineJson,
  type MoneyJson,
  type StatementJson,
} from './statements/statement-json.ts'
export { StatementRefused } from './statements/statement-refused.ts'
