import type { Command } from 'commander'
import type { Gateway } from 'holdfast/payouts'
import { simulatedBankGateway } from 'holdfast/simulated-bank'
import { BadInput } from './bad-input.ts'
import { readCount } from './read-count.ts'

/** The name of the gateway of the command line: it stands in `clearing:bank`. */
export const GATEWAY_NAME = 'bank'
/** Says where the gateway is, when no option does. */
const URL_VARIABLE = 'HOLDFAST_GATEWAY_URL'
const TIMEOUT_MS_DEFAULT = 4_000
const TIMEOUT_MS_MAX = 60_000

/** The options that say where the gateway is. */
export interface GatewayOptions {
  readonly gatewayUrl?: string
  readonly gatewayTimeoutMs: number
}

/** A gateway, and how long an answer of it may take. */
export interface ReachableGateway {
  readonly gateway: Gateway
  readonly timeoutMs: number
}

/** Adds the options that say where the gateway is. */
export function withGateway(command: Command): Command {
  return command
    .option(
      '--gateway-url <url>',
      `where the simulated bank listens, http://127.0.0.1:4010 (or ${URL_VARIABLE})`,
    )
    .option(
      '--gateway-timeout-ms <ms>',
      'how long it may take to answer; after that a payout is unknown',
      readCount('--gateway-timeout-ms', TIMEOUT_MS_MAX),
      TIMEOUT_MS_DEFAULT,
    )
}

/** Makes the gateway. It is not asked anything yet. Throws {@link BadInput}. */
export function readGateway(options: GatewayOptions): ReachableGateway {
  const gateway = readGatewayIfAny(options)
  if (!gateway)
    throw new BadInput(`--gateway-url is missing: the URL of the bank, or ${URL_VARIABLE}`)
  return gateway
}

/** Makes the gateway; undefined where nobody says where it is. Throws {@link BadInput}. */
export function readGatewayIfAny(options: GatewayOptions): ReachableGateway | undefined {
  const { gatewayUrl, gatewayTimeoutMs: timeoutMs } = options
  const option = gatewayUrl === undefined ? URL_VARIABLE : '--gateway-url'
  const url = gatewayUrl ?? process.env[URL_VARIABLE]
  if (!url) return undefined
  if (!url.startsWith('http://') || !URL.canParse(url))
    throw new BadInput(`${option}: a URL that begins with http://`)
  return { gateway: simulatedBankGateway({ url, name: GATEWAY_NAME, timeoutMs }), timeoutMs }
}
