import { resolve } from 'node:path'
import { LEAST_PASSWORD, MOST_PASSWORD, USUAL_PASSWORD } from '@balcao/contract/accounts.rules.ts'
import { isPixKey } from '@balcao/contract/pix.rules.ts'
import { z } from 'zod'
import { type BackupConfig, backupOf, backupVariables, noteBackup, type S3Config } from './config.backup.ts'
import {
  address,
  anyText,
  list,
  on,
  orNull,
  picturePath,
  randomBytes,
  sender,
  webAddress,
  whole,
} from './config.kinds.ts'
import { isAllowEntry, isRange } from './outbound/addresses.ts'
import { addressesIn } from './outbound/postgres.hosts.ts'
import { watchedBySentinels } from './outbound/sentinels.ts'
import { withSecretFiles } from './secret-files.ts'

export type { BackupConfig, S3Config } from './config.backup.ts'

const roles = ['web', 'worker', 'channels'] as const
export type RoleName = (typeof roles)[number]

/** A start that cannot go on: one line for each wrong variable, with its name and the accepted values. */
export class ConfigError extends Error {
  /** How a command ends by it. */
  readonly exitCode: number = 1
}

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
/** One server, or several of one database with commas between them (outbound/postgres.hosts.ts). */
const databaseAddress = z
  .string()
  .refine(
    value =>
      addressesIn(value).every(one => URL.canParse(one) && /^postgres(ql)?:$/.test(new URL(one).protocol)),
    'takes an address that begins with postgres:// or postgresql://',
  )
  // an empty name would be a server of this machine
  .refine(
    value => addressesIn(value).every((one, _, all) => all.length === 1 || URL.parse(one)?.hostname !== ''),
    'takes a name between every two commas',
  )
  .refine(
    value => /^(read-write|primary)?$/.test(/[?&]target_session_attrs=([^&#]*)/.exec(value)?.[1] ?? ''),
    'takes target_session_attrs=read-write, or none: of several servers the one that accepts writes is used',
  )

const takesRoles = `takes any of ${roles.join(',')}`

/** Each is read from the variable of the same name in capitals: `dataDir` from DATA_DIR. */
const Variables = z.object({
  nodeEnv: orNull(
    z.enum(['production', 'development', 'test'], 'takes production, or development or test, or nothing'),
  ),
  port: whole('takes a port number', 0, 65_535).default(8080),
  /** Unset: 127.0.0.1 with demo data, whose passwords everybody knows; else 0.0.0.0. */
  host: orNull(anyText),
  /** Absolute once read. */
  dataDir: anyText.default('./data').transform(value => resolve(value)),
  /** Null: the embedded database in dataDir. */
  databaseUrl: orNull(databaseAddress),
  /** The same database without the pooler that databaseUrl names. */
  databaseDirectUrl: orNull(databaseAddress),
  /** A copy of that database for reports, exports and searches. */
  databaseReadUrl: orNull(
    databaseAddress.refine(value => addressesIn(value).length === 1, 'takes the address of one server'),
  ),
  /** How many seconds it may be behind. */
  databaseReadSeconds: whole('takes a number of seconds', 1, 3_600).default(30),
  /** What this process opens at most, to either database. */
  databaseConnections: whole('takes a number of connections', 6, 100).default(14),
  /** What the embedded database keeps in memory of its files, and the connections that it accepts from all processes. */
  embeddedMemoryMb: whole('takes a number of megabytes', 16, 65_536).default(96),
  embeddedConnections: whole('takes a number of connections', 20, 1_000).default(100),
  /** How many backups of the embedded database stay that were made before an upgrade; 0: none is made. */
  upgradeBackups: whole('takes a number of backups', 0, 100).default(3),
  redisUrl: orNull(
    z
      .string()
      .refine(
        value => address('redis', 'rediss').safeParse(value).success || watchedBySentinels(value) !== null,
        'takes an address that begins with redis:// or rediss://, or redis+sentinel://HOST:PORT,HOST:PORT/NAME',
      ),
  ),
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
  platformName: anyText.default('Balcão'),
  /** Paths of pictures, absolute once read; null: Balcão's own. */
  platformIcon: orNull(picturePath),
  primaryColor: z
    .string()
    .regex(/^#[0-9a-f]{6}$/i, 'takes a colour such as #0F6175')
    .default(''),
  logoFile: orNull(picturePath),
  internalChat: on.default(true),
  /** Without it browsers remove what they have of the app for use without a connection, and the worker that shows notifications. */
  serviceWorker: on.default(true),
  hoursCloseTicketsAuto: orNull(whole('takes a number of hours', 1, 8760)),
  mapsKey: anyText.default(''),
  /** Where addresses are looked up; another one in tests. */
  mapsApiUrl: webAddress.default('https://maps.googleapis.com'),
  smtpUrl: orNull(address('smtp', 'smtps')),
  mailFrom: orNull(sender),
  s3Bucket: orNull(anyText),
  s3Region: orNull(anyText),
  s3Endpoint: orNull(webAddress),
  s3AccessKeyId: orNull(anyText),
  s3SecretAccessKey: orNull(anyText),
  s3ForcePathStyle: orNull(on),
  /** Null: in the bucket where there is one. */
  filesIn: orNull(z.enum(['disk', 's3'], 'takes disk or s3')),
  cepUrl: orNull(webAddress),
  cnpjUrl: orNull(webAddress),
  /** Who collects invoices, unless the operator chooses another on the screen. Both tokens or none. */
  asaasUrl: webAddress.default('https://api.asaas.com/v3'),
  asaasToken: orNull(anyText),
  asaasWebhookToken: orNull(
    anyText.min(32, 'takes 32 to 255 characters').max(255, 'takes 32 to 255 characters'),
  ),
  /** Mercado Pago’s token is entered on the screen alone. */
  mercadopagoUrl: webAddress.default('https://api.mercadopago.com'),
  /** Who receives PIX payments of invoices; without a key there is no PIX code. */
  pixKey: orNull(anyText.refine(isPixKey, 'takes a CPF, CNPJ, e-mail, mobile number or random key')),
  pixName: anyText.default('Balcao'),
  pixCity: anyText.default('Sao Paulo'),
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
  /** So long (s) a process with the role `web` goes on answering after a stop was requested, while `/ready` sends proxies elsewhere. */
  drainSeconds: whole('takes a number of seconds', 0, 60).default(0),
  /** What one user may call in a minute; 0 is unlimited. An address may call ten times as often. */
  requestsPerMinute: whole('takes a number of calls', 0, 1_000_000).default(3_000),
  logLevel: z
    .enum(
      ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'],
      'takes fatal, error, warn, info, debug, trace or silent',
    )
    .default('info'),
  /** What the operator's screen runs for a restart and an update; null: nothing. */
  restartCommand: orNull(anyText),
  updateCommand: orNull(anyText),
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
  backupDir: orNull(anyText.transform(value => resolve(value))),
  backupKeepDays: whole('takes a number of days', 1, 3_650).default(14),
  ...backupVariables,
  /** A restored copy that is tried out: nothing leaves it, and nothing happens in it by itself. */
  drill: on.default(false),
  tzDefault: z
    .string()
    .refine(isTimeZone, 'takes a time zone such as America/Sao_Paulo')
    .default('America/Sao_Paulo'),
})
type Read = z.output<typeof Variables>

type S3Field = `s3${string}` & keyof Read
type BackupField = keyof typeof backupVariables

export type Config = Omit<Read, S3Field | BackupField | 'nodeEnv' | 'filesIn' | 'host' | 'demo'> & {
  /** Null: no sealed backups are made. */
  backup: BackupConfig | null
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
  const backup = read.drill ? null : backupOf(data)
  const [s3, s3Before] = filesIn === 'disk' || read.drill ? [null, bucket || null] : [bucket || null, null]
  const host = read.host ?? (demo ? '127.0.0.1' : '0.0.0.0')
  return { ...read, production, demo, host, s3, s3Before, backup }
}

/**
 * What a drill leaves out of its variables: jobs and connections (ROLES), the live events and signals of the original
 * (its Redis has the same names), its copy for reading, letters, the provider that collects, and commands that restart the original. A bucket
 * is only read (places.ts).
 */
const DRILL = {
  roles: new Set<RoleName>(['web']),
  databaseReadUrl: null,
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

/** Whether pushes and signals reach other processes over PostgreSQL. */
export const usesExchange = ({ databaseUrl, redisUrl, drill }: Config) =>
  databaseUrl !== null && redisUrl === null && !drill

/** Every variable there is, as it is written in the environment. */
export const variables = () => Object.keys(Variables.shape).map(variable)

const variable = (field: string) => field.replace(/[A-Z]/g, letter => `_${letter}`).toUpperCase()

/** What is wrong only beside something else that is given. */
function wrongTogether(given: Given, note: (field: keyof Read, message: string) => void) {
  wrongOfDatabase(given, note)

  if (given.keepSessions && !given.jwtSecretOld) note('keepSessions', 'is of use with JWT_SECRET_OLD only')
  if (given.jwtSecretOld && given.jwtSecretOld === given.jwtSecret)
    note('jwtSecretOld', 'takes the secret of before, and JWT_SECRET the new one')

  const chosen = new Set(list.parse(given.roles ?? roles.join(',')))
  const split = roles.some(role => !chosen.has(role))
  if (split && !given.redisUrl && !given.databaseUrl)
    note(
      'redisUrl',
      'is required when ROLES leaves one out, unless there is DATABASE_URL: live events reach other processes over either',
    )

  noteBackup(given, note)

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

/** The same of the database. */
function wrongOfDatabase(given: Given, note: (field: keyof Read, message: string) => void) {
  if (given.databaseUrl && !given.jwtSecret)
    note('jwtSecret', 'takes at least 32 random bytes; with DATABASE_URL it is required')

  if (given.databaseDirectUrl && !given.databaseUrl)
    note('databaseDirectUrl', 'is of use with DATABASE_URL only: the embedded database has no pooler')

  for (const field of ['embeddedMemoryMb', 'embeddedConnections'] as const)
    if (given[field] && given.databaseUrl)
      note(field, 'is for the embedded database: one of DATABASE_URL has its own settings')

  if (given.databaseReadUrl && !given.databaseUrl)
    note('databaseReadUrl', 'is of use with DATABASE_URL only: the embedded database has no copy')

  if (given.backupDir && given.databaseUrl)
    note(
      'backupDir',
      'is for the embedded database: one of DATABASE_URL is backed up by its own means, such as pg_dump',
    )
}

function isTimeZone(name: string) {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}
