export { simulatedBankGateway } from './gateway.ts'
export type { SimulatedBankOptions } from './gateway.ts'
