import { systemClock, parseInstant, toWireJson, type AccountId, type Asset } from 'holdfast'
import { parseSchedule, sharesOf, unknownRole } from 'holdfast/charges'
import type { Exact, Fee, FeeSchedule, ScheduleVersion, Share } from 'holdfast/charges'
import { formatDecimal, fullAssetName, parseDecimal, scaleOf } from 'holdfast/money'
import { BadInput } from '../bad-input.ts'
import { EXIT, type ExitCode } from '../exit-codes.ts'
import { parseJson, readText } from '../input-file.ts'
import type { Io } from '../io.ts'
import type { Register } from '../run.ts'
import { table } from '../table.ts'

interface FeesOptions {
  readonly schedule: string
  readonly at?: string
  readonly recipient: ReadonlyMap<string, AccountId>
  readonly json?: true
}

/** `holdfast fees explain AMOUNT ASSET --schedule FILE`: who gets what of a price, and why. */
export const registerFees: Register = (program, run) => {
  const fees = program.command('fees').description('Fee schedules')
  fees
    .command('explain')
    .description('Who gets what of a price, and why')
    .argument('<amount>', 'a decimal of the asset, 0.10')
    .argument('<asset>', 'a currency or an asset with its scale, GBP or GBP/6')
    .requiredOption('--schedule <file>', 'the fee schedule, a JSON file, or - for standard input')
    .option('--at <day>', 'the day of UTC, 2026-01-31 (today)', readDay)
    .option(
      '--recipient <role=account>',
      'an account for a role, as a charge may name it; may come several times',
      readRecipient,
      new Map(),
    )
    .option('--json', 'machine-readable output, one JSON object')
    .action((amount: string, asset: string, options: FeesOptions) =>
      run(io => explainFees(amount, asset, options, io)),
    )
}

async function explainFees(
  amount: string,
  name: string,
  options: FeesOptions,
  io: Io,
): Promise<ExitCode> {
  const schedule = await readSchedule(options.schedule, io)
  const asset = readAsset(name, schedule)
  const gross = readAmount(amount, asset)
  const at = options.at ?? systemClock.now()
  const version = schedule.at(at)
  if (!version) throw new BadInput(`--at: no version is in force on ${at.slice(0, 10)}`)
  const recipients = Object.fromEntries(options.recipient)
  const unknown = unknownRole(version, recipients)
  if (unknown !== null)
    throw new BadInput(`--recipient: the version of ${version.from} has no fee for ${unknown}`)
  const shares = sharesOf(version, gross, recipients)
  await io.print(
    options.json ? inJson(asset, gross, version, shares) : inWords(asset, gross, version, shares),
  )
  return EXIT.clean
}

async function readSchedule(path: string, io: Io): Promise<FeeSchedule> {
  const place = `--schedule ${path}: `
  const parsed = parseSchedule(parseJson(await readText(path, io.stdin), place))
  if (!parsed.ok) throw new BadInput(`${place}${parsed.why}`)
  return parsed.schedule
}

function readAsset(name: string, { asset }: FeeSchedule): Asset {
  const given = fullAssetName(name)
  if (given === null) throw new BadInput(`asset: "${name}" is no currency and no asset, GBP/6`)
  if (given !== asset) throw new BadInput(`asset: the schedule is in ${asset}, not in ${given}`)
  return asset
}

function readAmount(text: string, asset: Asset): bigint {
  const parsed = parseDecimal(text, scaleOf(asset))
  if (!parsed.ok) throw new BadInput(`amount: "${text}" ${parsed.why}`)
  if (parsed.amount === 0n) throw new BadInput('amount: more than 0')
  return parsed.amount
}

function readDay(text: string): string {
  const instant = parseInstant(`${text}T00:00:00.000Z`)
  if (instant === null) throw new BadInput('--at: a day, 2026-01-31')
  return instant
}

function readRecipient(
  text: string,
  before: ReadonlyMap<string, AccountId>,
): ReadonlyMap<string, AccountId> {
  const [, role, account] = /^([^=]+)=(.+)$/.exec(text) ?? []
  if (role === undefined || account === undefined)
    throw new BadInput('--recipient: a role and an account, affiliate=affiliate:9')
  return new Map([...before, [role, account]])
}

function inJson(
  asset: Asset,
  gross: bigint,
  { from }: ScheduleVersion,
  shares: readonly Share[],
): string {
  return toWireJson({ asset, gross, version: from, shares })
}

function inWords(
  asset: Asset,
  gross: bigint,
  version: ScheduleVersion,
  shares: readonly Share[],
): string {
  const decimal = (amount: bigint) => formatDecimal(amount, scaleOf(asset))
  const rows = shares.map(({ role, account, amount, exact }) => [
    role,
    account ?? '',
    rulesOf(version.fees, role, decimal),
    mixed(exact),
    decimal(amount),
  ])
  const columns = [
    { title: 'role' },
    { title: 'account' },
    { title: 'rule' },
    { title: 'exact minor units', right: true },
    { title: 'share', right: true },
  ] as const
  return [
    `${decimal(gross)} ${asset}, by the version of ${version.from}`,
    table(columns, [...rows, ['total', '', '', String(gross), decimal(gross)]]),
  ].join('\n\n')
}

function rulesOf(fees: readonly Fee[], role: string, decimal: (amount: bigint) => string): string {
  const own = fees.filter(fee => fee.role === role)
  return own.length === 0 ? 'what the fees leave' : own.map(fee => ruleOf(fee, decimal)).join('; ')
}

function ruleOf(fee: Fee, decimal: (amount: bigint) => string): string {
  const { rate, of, fixed, minimum, maximum } = fee
  const part =
    rate === undefined
      ? []
      : [
          `${'basisPoints' in rate ? percent(rate.basisPoints) : `${rate.numerator}/${rate.denominator}`} of the ${of ?? 'gross'}`,
        ]
  const sum = [...part, ...(fixed === undefined ? [] : [decimal(fixed)])].join(' + ')
  const bounds = [
    ...(minimum === undefined ? [] : [`at least ${decimal(minimum)}`]),
    ...(maximum === undefined ? [] : [`at most ${decimal(maximum)}`]),
  ]
  return [...(sum === '' ? [] : [sum]), ...bounds].join(', ')
}

function percent(basisPoints: number): string {
  const [whole, decimals = ''] = formatDecimal(BigInt(basisPoints), 2).split('.')
  const rest = decimals.replace(/0+$/, '')
  return `${whole ?? ''}${rest === '' ? '' : `.${rest}`}%`
}

/** `7 4/5`: exact, where a decimal may never end. */
function mixed({ numerator, denominator }: Exact): string {
  const whole = numerator / denominator
  const rest = numerator % denominator
  if (rest === 0n) return String(whole)
  return `${whole === 0n ? '' : `${whole} `}${rest}/${denominator}`
}
