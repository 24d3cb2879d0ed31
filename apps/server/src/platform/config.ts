import { accessSync, constants, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { LEAST_PASSWORD, MOST_PASSWORD, USUAL_PASSWORD } from '@balcao/contract/accounts.rules.ts'
import { withoutLast } from '@balcao/contract/cut.rules.ts'
import { isPixKey } from '@balcao/contract/pix.rules.ts'
import { z } from 'zod'
import { isAllowEntry, isRange } from './outbound/addresses.ts'
import { withSecretFiles } from './secret-files.ts'

const roles = ['web', 'worker', 'channels'] as const
export type RoleName = (typeof roles)[number]

/** A start that cannot go on: one line for each wrong variable, with its name and the accepted values. */
export class ConfigError extends Error {
  /** How a command ends by it. */
  readonly exitCode: number = 1
}

const text = z.string().max(500, 'takes at most 500 characters')
const on = z
  .enum(['0', '1', 'true', 'false', 'enabled', 'disabled'], 'takes 1 or 0')
  .transform(value => ['1', 'true', 'enabled'].includes(value))
const address = (...schemes: string[]) =>
  z
    .string()
    .refine(
      value => URL.canParse(value) && schemes.includes(new URL(value).protocol.slice(0, -1)),
      `takes an address that begins with ${schemes.map(scheme => `${scheme}://`).join(' or ')}`,
    )
const webAddress = address('http', 'https').transform(value => withoutLast(value, '/'))
const whole = (takes: string, min: number, max: number) =>
  z
    .string()
    .regex(/^\d{1,9}$/, takes)
    .transform(Number)
    .refine(value => value >= min && value <= max, `${takes}, ${min} to ${max}`)
const list = z.string().transform(value =>
  value
    .split(',')
    .map(item => item.trim())
    .filter(item => item !== ''),
)
/** Proxies in front that are believed: none, so many, or those at these addresses and in these ranges. */
const trusted = z.string().transform((value, context): false | number | string[] => {
  if (on.safeParse(value).success) return on.parse(value) ? 1 : false
  if (/^\d{1,2}$/.test(value) && Number(value) <= MOST_PROXIES) return Number(value)
  const entries = list.parse(value)
  if (entries.length > 0 && entries.length <= 100 && entries.every(isRange)) return entries
  context.addIssue(
    `takes 0 (off), how many proxies are in front (1 to ${MOST_PROXIES}), or their addresses and ranges such as 10.0.0.0/8, with commas between`,
  )
  return z.NEVER
})
const MOST_PROXIES = 16
const picture = text
  .transform(value => resolve(value))
  .refine(value => /\.(png|jpe?g|webp|gif)$/i.test(value), 'takes the path of a PNG, JPEG, WebP or GIF file')
  .refine(isReadable, 'names a file that is not there or cannot be read')
const sender = z
  .string()
  .refine(
    value => z.email().safeParse(/^[^<>]*<([^<>]+)>$/.exec(value)?.[1] ?? value).success,
    'takes an e-mail address, or a name and the address: Balcão <balcao@example.com>',
  )
const randomBytes = z
  .string()
  .refine(value => Buffer.byteLength(value) >= 32, 'takes at least 32 random bytes')
  .refine(value => !isSample(value), 'takes random bytes, not a sample that others know')
const orNull = <T extends z.ZodType>(schema: T) => schema.nullable().default(null)

const takesRoles = `takes any of ${roles.join(',')}`

/** Each is read from the variable of the same name in capitals: `dataDir` from DATA_DIR. */
const Variables = z.object({
  nodeEnv: orNull(
    z.enum(['production', 'development', 'test'], 'takes production, or development or test, or nothing'),
  ),
  port: whole('takes a port number', 0, 65_535).default(8080),
  /** Unset: 127.0.0.1 with demo data, whose passwords everybody knows; else 0.0.0.0. */
  host: orNull(text),
  /** Absolute once read. */
  dataDir: text.default('./data').transform(value => resolve(value)),
  /** Null: the embedded database in dataDir. */
  databaseUrl: orNull(address('postgres', 'postgresql')),
  /** What this process opens at most, to either database. */
  databaseConnections: whole('takes a number of connections', 6, 100).default(14),
  /** How many backups of the embedded database stay that were made before an upgrade; 0: none is made. */
  upgradeBackups: whole('takes a number of backups', 0, 100).default(3),
  redisUrl: orNull(address('redis', 'rediss')),
  roles: list
    .pipe(z.array(z.enum(roles, takesRoles)).min(1, takesRoles))
    .transform(names => new Set<RoleName>(names))
    .default(new Set(roles)),
  demo: orNull(on),
  /** Null: made at the first start and kept in dataDir. */
  jwtSecret: orNull(randomBytes),
  /** The one before: what it sealed is opened. */
  jwtSecretOld: orNull(randomBytes),
  /** Whether sessions and links that the old secret signed stay valid. */
  keepSessions: on.default(false),
  masterEmail: orNull(z.email('takes an e-mail address')),
  masterPassword: orNull(
    z.string().min(8, 'takes at least 8 characters').max(50, 'takes at most 50 characters'),
  ),
  /** Characters of a new password at least; 5 is what the documents ask for. */
  passwordLength: whole('takes a number of characters', LEAST_PASSWORD, MOST_PASSWORD).default(
    USUAL_PASSWORD,
  ),
  /** Whether strangers may sign up, until a master has chosen. */
  userCreation: orNull(z.enum(['enabled', 'disabled'], 'takes enabled or disabled')),
  backendUrl: webAddress.default(''),
  platformName: text.default('Balcão'),
  /** Paths of pictures, absolute once read; null: Balcão's own. */
  platformIcon: orNull(picture),
  primaryColor: z
    .string()
    .regex(/^#[0-9a-f]{6}$/i, 'takes a colour such as #0F6175')
    .default(''),
  logoFile: orNull(picture),
  internalChat: on.default(true),
  /** Without it browsers remove what they have of the app for use without a connection, and the worker that shows notifications. */
  serviceWorker: on.default(true),
  hoursCloseTicketsAuto: orNull(whole('takes a number of hours', 1, 8760)),
  mapsKey: text.default(''),
  /** Where addresses are looked up; another one in tests. */
  mapsApiUrl: webAddress.default('https://maps.googleapis.com'),
  smtpUrl: orNull(address('smtp', 'smtps')),
  mailFrom: orNull(sender),
  s3Bucket: orNull(text),
  s3Region: orNull(text),
  s3Endpoint: orNull(webAddress),
  s3AccessKeyId: orNull(text),
  s3SecretAccessKey: orNull(text),
  s3ForcePathStyle: orNull(on),
  /** Null: in the bucket where there is one. */
  filesIn: orNull(z.enum(['disk', 's3'], 'takes disk or s3')),
  cepUrl: orNull(webAddress),
  cnpjUrl: orNull(webAddress),
  /** Who collects invoices, unless the operator chooses another on the screen. Both tokens or none. */
  asaasUrl: webAddress.default('https://api.asaas.com/v3'),
  asaasToken: orNull(text),
  asaasWebhookToken: orNull(
    text.min(32, 'takes 32 to 255 characters').max(255, 'takes 32 to 255 characters'),
  ),
  /** Mercado Pago’s token is entered on the screen alone. */
  mercadopagoUrl: webAddress.default('https://api.mercadopago.com'),
  /** Who receives PIX payments of invoices; without a key there is no PIX code. */
  pixKey: orNull(text.refine(isPixKey, 'takes a CPF, CNPJ, e-mail, mobile number or random key')),
  pixName: text.default('Balcao'),
  pixCity: text.default('Sao Paulo'),
  marketingUrl: orNull(webAddress),
  productUrl: orNull(webAddress),
  whatsappWebUrl: address('ws', 'wss').default('wss://web.whatsapp.com/ws/chat'),
  whatsappWebVersion: orNull(
    z
      .string()
      .regex(/^\d{1,9}\.\d{1,9}\.\d{1,12}$/, 'takes a version such as 2.3000.1043857760')
      .transform(value => value.split('.').map(Number) as [number, number, number]),
  ),
  /** The operator's app at Meta, with which companies connect a number by the embedded sign-up. All or none. */
  metaAppId: orNull(z.string().regex(/^\d{5,32}$/, 'takes digits')),
  metaAppSecret: orNull(z.string().min(8, 'takes at least 8 characters')),
  metaConfigId: orNull(z.string().regex(/^\d{5,32}$/, 'takes digits')),
  graphApiUrl: webAddress.default('https://graph.facebook.com'),
  outboundAllow: list
    .refine(
      entries => entries.every(isAllowEntry),
      'takes addresses, ranges such as 10.0.0.0/8 and host names, with commas between',
    )
    .default([]),
  trustProxy: trusted.default(false),
  /** What one user may call in a minute; 0 is unlimited. An address may call ten times as often. */
  requestsPerMinute: whole('takes a number of calls', 0, 1_000_000).default(3_000),
  logLevel: z
    .enum(
      ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'],
      'takes fatal, error, warn, info, debug, trace or silent',
    )
    .default('info'),
  /** What the operator's screen runs for a restart and an update; null: nothing. */
  restartCommand: orNull(text),
  updateCommand: orNull(text),
  /** Where traces and metrics are sent by OTLP over HTTP; null: nowhere. OpenTelemetry's own names. */
  otelExporterOtlpEndpoint: orNull(webAddress),
  /** The share of traces that is sent. */
  otelTracesSamplerArg: z
    .string()
    .regex(/^(0|1|0?\.\d{1,6}|1\.0)$/, 'takes a share from 0 to 1, such as 0.05')
    .transform(Number)
    .default(1),
  /** Where the newest version is asked for, once a day; null: nowhere. */
  versionUrl: orNull(webAddress),
  metricsToken: orNull(z.string().min(16, 'takes at least 16 characters')),
  /** Where the embedded database is backed up each night; null: nowhere. Absolute once read. */
  backupDir: orNull(text.transform(value => resolve(value))),
  backupKeepDays: whole('takes a number of days', 1, 3_650).default(14),
  /** A restored copy that is tried out: nothing leaves it, and nothing happens in it by itself. */
  drill: on.default(false),
  tzDefault: z
    .string()
    .refine(isTimeZone, 'takes a time zone such as America/Sao_Paulo')
    .default('America/Sao_Paulo'),
})
type Read = z.output<typeof Variables>

export interface S3Config {
  bucket: string
  region: string
  /** Null: Amazon's own. */
  endpoint: string | null
  accessKeyId: string
  secretAccessKey: string
  /** True where the bucket is a folder of the address and not a name before it. */
  forcePathStyle: boolean
}

type S3Field = `s3${string}` & keyof Read

export type Config = Omit<Read, S3Field | 'nodeEnv' | 'filesIn' | 'host' | 'demo'> & {
  production: boolean
  host: string
  demo: boolean
  /** Where files are written; null: under dataDir. */
  s3: S3Config | null
  /** A bucket in which files are read that have not been moved under dataDir yet. */
  s3Before: S3Config | null
}

/**
 * Reads the environment, and the files that it names for secrets; empty values count as unset, unknown ones are ignored. Throws ConfigError with a line for
 * every wrong variable.
 */
export function readConfig(environment: NodeJS.ProcessEnv): Config {
  const { env, wrong: wrongFiles } = withSecretFiles(environment)
  const given: Given = Object.fromEntries(
    Object.keys(Variables.shape).map(field => [field, env[variable(field)] || undefined]),
  )
  const { data, error } = Variables.safeParse(given)
  const wrong = new Map<string, string>()
  const note = (field: string, message: string) => wrong.set(field, wrong.get(field) ?? message)
  for (const { path, message } of error?.issues ?? []) note(String(path[0]), message)
  const sound = Object.entries(given).filter(([field]) => !wrong.has(field))
  wrongTogether(Object.fromEntries(sound), note)
  const lines = new Map([
    ...wrongFiles,
    ...Array.from(wrong, ([field, message]) => [variable(field), message] as const),
  ])
  if (!data || lines.size > 0)
    throw new ConfigError(Array.from(lines, ([name, message]) => `${name} ${message}`).join('\n'))

  const {
    s3Bucket,
    s3Region,
    s3Endpoint,
    s3AccessKeyId,
    s3SecretAccessKey,
    s3ForcePathStyle,
    filesIn,
    nodeEnv,
    ...asRead
  } = data
  const read = asRead.drill ? { ...asRead, ...DRILL } : asRead
  const production = nodeEnv === 'production'
  const demo = read.demo ?? (!read.databaseUrl && !production)
  const bucket = s3Bucket && {
    bucket: s3Bucket,
    region: s3Region!,
    endpoint: s3Endpoint,
    accessKeyId: s3AccessKeyId!,
    secretAccessKey: s3SecretAccessKey!,
    forcePathStyle: s3ForcePathStyle ?? s3Endpoint !== null,
  }
  const [s3, s3Before] = filesIn === 'disk' || read.drill ? [null, bucket || null] : [bucket || null, null]
  return { ...read, production, demo, host: read.host ?? (demo ? '127.0.0.1' : '0.0.0.0'), s3, s3Before }
}

/**
 * What a drill leaves out of its variables: jobs and connections (ROLES), the live events and signals of the original
 * (its Redis has the same names), letters, the provider that collects, and commands that restart the original. A bucket
 * is only read (places.ts).
 */
const DRILL = {
  roles: new Set<RoleName>(['web']),
  redisUrl: null,
  smtpUrl: null,
  asaasToken: null,
  asaasWebhookToken: null,
  restartCommand: null,
  updateCommand: null,
  backupDir: null,
  otelExporterOtlpEndpoint: null,
  versionUrl: null,
} satisfies Partial<Read>

type Given = Partial<Record<keyof Read, string>>

/** Every variable there is, as it is written in the environment. */
export const variables = () => Object.keys(Variables.shape).map(variable)

const variable = (field: string) => field.replace(/[A-Z]/g, letter => `_${letter}`).toUpperCase()

/** What is wrong only beside something else that is given. */
function wrongTogether(given: Given, note: (field: keyof Read, message: string) => void) {
  if (given.databaseUrl && !given.jwtSecret)
    note('jwtSecret', 'takes at least 32 random bytes; with DATABASE_URL it is required')

  if (given.keepSessions && !given.jwtSecretOld) note('keepSessions', 'is of use with JWT_SECRET_OLD only')
  if (given.jwtSecretOld && given.jwtSecretOld === given.jwtSecret)
    note('jwtSecretOld', 'takes the secret of before, and JWT_SECRET the new one')

  const chosen = new Set(list.parse(given.roles ?? roles.join(',')))
  const split = roles.some(role => !chosen.has(role))
  if (split && !given.redisUrl)
    note('redisUrl', 'is required when ROLES leaves one out: live events reach other processes over it')

  if (given.backupDir && given.databaseUrl)
    note(
      'backupDir',
      'is for the embedded database: one of DATABASE_URL is backed up by its own means, such as pg_dump',
    )

  if (given.masterEmail && !given.masterPassword) note('masterPassword', 'is required with MASTER_EMAIL')
  if (given.masterPassword && !given.masterEmail) note('masterEmail', 'is required with MASTER_PASSWORD')

  if (given.nodeEnv === 'production' && given.masterPassword === 'balcao-demo')
    note('masterPassword', 'takes a password of your own, not the one of the demo')

  if (given.smtpUrl) {
    if (!given.mailFrom) note('mailFrom', 'is required with SMTP_URL')
    if (!given.backendUrl) note('backendUrl', 'is required with SMTP_URL: links in letters begin with it')
  }

  if (given.asaasToken && !given.asaasWebhookToken)
    note('asaasWebhookToken', 'is required with ASAAS_TOKEN: what it tells is believed by it')
  if (given.asaasWebhookToken && !given.asaasToken) note('asaasToken', 'is required with ASAAS_WEBHOOK_TOKEN')

  const meta = ['metaAppId', 'metaAppSecret', 'metaConfigId'] as const
  if (meta.some(field => given[field])) {
    for (const field of meta) if (!given[field]) note(field, 'is required with the others of META_')
    if (!given.backendUrl)
      note('backendUrl', 'is required with META_APP_ID: Meta leads back to it, and calls it')
  }

  const s3 = ['s3Bucket', 's3Region', 's3AccessKeyId', 's3SecretAccessKey'] as const
  if (given.filesIn === 's3' && !given.s3Bucket) note('s3Bucket', 'is required with FILES_IN=s3')
  const other = (['s3Endpoint', 's3ForcePathStyle', ...s3] as const).find(field => given[field])
  if (other) for (const field of s3) if (!given[field]) note(field, `is required with ${variable(other)}`)
}

/** Strong-looking secrets that relatives of this product publish in their example files. */
const published = [
  'kZaOTd+YZpjRUyyuQUpigJaEMk4vcW4YOymKPZX0Ts8=',
  'dBSXqFg9TaNUEDXVp6fhMTRLBysP+j2DSqf7+raxD3A=',
]

function isSample(secret: string) {
  const words = /secret|segredo|change|example|exemplo|sample|password|senha|your[-_ ]|balcao/i
  return published.includes(secret) || words.test(secret) || new Set(secret).size < 8
}

function isReadable(path: string) {
  try {
    accessSync(path, constants.R_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}

function isTimeZone(name: string) {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}
