export { simulatedBankGateway, type SimulatedBankOptions } from './gateways/simulated-bank/index.ts'
