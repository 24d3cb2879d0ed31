import { isAbsolute, resolve } from 'node:path'
import { z } from 'zod'

const roles = ['web', 'worker', 'channels'] as const
export type RoleName = (typeof roles)[number]

const on = z
  .enum(['0', '1', 'true', 'false'], 'takes 1 or 0')
  .transform(value => value === '1' || value === 'true')
const url = (...protocols: string[]) =>
  z
    .string()
    .refine(
      value => protocols.includes(protocolOf(value)),
      `takes an address that begins with ${protocols.map(name => `${name}//`).join(' or ')}`,
    )
const protocolOf = (value: string) => (URL.canParse(value) ? new URL(value).protocol : '')
const list = z.string().transform(value =>
  value
    .split(',')
    .map(item => item.trim())
    .filter(Boolean),
)
const text = z.string().max(500, 'takes at most 500 characters')

const Environment = z.object({
  NODE_ENV: z.string().optional(),
  PORT: z
    .string()
    .regex(/^\d{1,5}$/, 'takes a port number')
    .transform(Number)
    .refine(port => port <= 65_535, 'takes a port up to 65535')
    .default(8080),
  HOST: text.optional(),
  DATA_DIR: text.default('./data'),
  DATABASE_URL: url('postgres:', 'postgresql:').optional(),
  REDIS_URL: url('redis:', 'rediss:').optional(),
  ROLES: list
    .pipe(z.array(z.enum(roles, `takes any of ${roles.join(',')}`)).min(1, `takes any of ${roles.join(',')}`))
    .default([...roles]),
  DEMO: on.optional(),
  JWT_SECRET: z
    .string()
    .refine(value => Buffer.byteLength(value) >= 32, 'takes at least 32 bytes')
    .refine(
      value => !/^(.)\1*$/.test(value) && !/^(my|super|change|jwt)?[-_]?secret/i.test(value),
      'takes a random value, not a sample',
    )
    .optional(),
  MASTER_EMAIL: z.email('takes an e-mail address').optional(),
  MASTER_PASSWORD: z
    .string()
    .min(8, 'takes at least 8 characters')
    .max(50, 'takes at most 50 characters')
    .optional(),
  BACKEND_URL: url('http:', 'https:').optional(),
  PLATFORM_NAME: text.default('Balcão'),
  PLATFORM_ICON: text.default(''),
  PRIMARY_COLOR: z
    .string()
    .regex(/^#[0-9a-f]{6}$/i, 'takes a colour such as #0F6175')
    .optional(),
  LOGO_FILE: text.default(''),
  INTERNAL_CHAT: on.default(false),
  HOURS_CLOSE_TICKETS_AUTO: z
    .string()
    .regex(/^\d{1,4}$/, 'takes a number of hours')
    .transform(Number)
    .optional(),
  MAPS_KEY: text.default(''),
  SMTP_URL: url('smtp:', 'smtps:').optional(),
  MAIL_FROM: text.default(''),
  S3_BUCKET: text.optional(),
  S3_REGION: text.optional(),
  S3_ENDPOINT: url('http:', 'https:').optional(),
  S3_ACCESS_KEY_ID: text.optional(),
  S3_SECRET_ACCESS_KEY: text.optional(),
  CEP_URL: url('http:', 'https:').optional(),
  CNPJ_URL: url('http:', 'https:').optional(),
  MARKETING_URL: url('http:', 'https:').optional(),
  PRODUCT_URL: url('http:', 'https:').optional(),
  WHATSAPP_WEB_URL: url('ws:', 'wss:').default('wss://web.whatsapp.com/ws/chat'),
  WHATSAPP_WEB_VERSION: z
    .string()
    .regex(/^\d+\.\d+\.\d+$/, 'takes a version such as 2.3000.1043857760')
    .transform(value => value.split('.').map(Number) as [number, number, number])
    .optional(),
  GRAPH_API_URL: url('http:', 'https:').default('https://graph.facebook.com'),
  OUTBOUND_ALLOW: list.default([]),
  TRUST_PROXY: on.default(false),
  LOG_LEVEL: z
    .enum(
      ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'],
      'takes fatal, error, warn, info, debug, trace or silent',
    )
    .default('info'),
  METRICS_TOKEN: z.string().min(16, 'takes at least 16 characters').optional(),
  TZ_DEFAULT: z
    .string()
    .refine(isTimeZone, 'takes a time zone such as America/Sao_Paulo')
    .default('America/Sao_Paulo'),
})

export interface Config {
  production: boolean
  port: number
  host: string
  /** Absolute. */
  dataDir: string
  databaseUrl: string | null
  redisUrl: string | null
  roles: Set<RoleName>
  demo: boolean
  /** Null: made at the first start and kept in dataDir. */
  jwtSecret: string | null
  masterEmail: string | null
  masterPassword: string | null
  backendUrl: string
  platformName: string
  platformIcon: string
  primaryColor: string
  logoFile: string
  internalChat: boolean
  hoursCloseTicketsAuto: number | null
  mapsKey: string
  smtpUrl: string | null
  mailFrom: string
  s3: S3Config | null
  cepUrl: string | null
  cnpjUrl: string | null
  marketingUrl: string | null
  productUrl: string | null
  whatsappWebUrl: string
  whatsappWebVersion: [number, number, number] | null
  graphApiUrl: string
  outboundAllow: string[]
  trustProxy: boolean
  logLevel: string
  metricsToken: string | null
  tzDefault: string
}

export interface S3Config {
  bucket: string
  region: string
  endpoint: string | null
  accessKeyId: string
  secretAccessKey: string
}

/** A start that cannot go on: one line for each wrong variable, with its name and what it takes. */
export class ConfigError extends Error {}

/** Reads the environment. Throws ConfigError naming every wrong variable; unknown ones are ignored. */
export function readConfig(env: NodeJS.ProcessEnv): Config {
  const given = Object.fromEntries(
    Object.entries(env).filter(([, value]) => value !== undefined && value !== ''),
  )
  const result = Environment.safeParse(given)
  if (!result.success)
    throw new ConfigError(
      result.error.issues.map(({ path, message }) => `${String(path[0])} ${message}`).join('\n'),
    )
  const read = result.data
  const production = read.NODE_ENV === 'production'
  const demo = read.DEMO ?? (!read.DATABASE_URL && !production)
  const config: Config = {
    production,
    demo,
    port: read.PORT,
    host: read.HOST ?? (demo ? '127.0.0.1' : '0.0.0.0'),
    dataDir: isAbsolute(read.DATA_DIR) ? read.DATA_DIR : resolve(read.DATA_DIR),
    databaseUrl: read.DATABASE_URL ?? null,
    redisUrl: read.REDIS_URL ?? null,
    roles: new Set(read.ROLES),
    jwtSecret: read.JWT_SECRET ?? null,
    masterEmail: read.MASTER_EMAIL ?? null,
    masterPassword: read.MASTER_PASSWORD ?? null,
    backendUrl: read.BACKEND_URL ?? '',
    platformName: read.PLATFORM_NAME,
    platformIcon: read.PLATFORM_ICON,
    primaryColor: read.PRIMARY_COLOR ?? '',
    logoFile: read.LOGO_FILE,
    internalChat: read.INTERNAL_CHAT,
    hoursCloseTicketsAuto: read.HOURS_CLOSE_TICKETS_AUTO ?? null,
    mapsKey: read.MAPS_KEY,
    smtpUrl: read.SMTP_URL ?? null,
    mailFrom: read.MAIL_FROM,
    s3: s3Of(read),
    cepUrl: read.CEP_URL ?? null,
    cnpjUrl: read.CNPJ_URL ?? null,
    marketingUrl: read.MARKETING_URL ?? null,
    productUrl: read.PRODUCT_URL ?? null,
    whatsappWebUrl: read.WHATSAPP_WEB_URL,
    whatsappWebVersion: read.WHATSAPP_WEB_VERSION ?? null,
    graphApiUrl: read.GRAPH_API_URL,
    outboundAllow: read.OUTBOUND_ALLOW,
    trustProxy: read.TRUST_PROXY,
    logLevel: read.LOG_LEVEL,
    metricsToken: read.METRICS_TOKEN ?? null,
    tzDefault: read.TZ_DEFAULT,
  }
  refuseCombinations(config)
  return config
}

function s3Of(read: z.output<typeof Environment>): S3Config | null {
  const needed = {
    S3_BUCKET: read.S3_BUCKET,
    S3_REGION: read.S3_REGION,
    S3_ACCESS_KEY_ID: read.S3_ACCESS_KEY_ID,
    S3_SECRET_ACCESS_KEY: read.S3_SECRET_ACCESS_KEY,
  }
  const missing = Object.entries(needed)
    .filter(([, value]) => !value)
    .map(([name]) => name)
  if (missing.length === Object.keys(needed).length) return null
  if (missing.length > 0)
    throw new ConfigError(missing.map(name => `${name} is needed with the other S3_ variables`).join('\n'))
  return {
    bucket: read.S3_BUCKET!,
    region: read.S3_REGION!,
    endpoint: read.S3_ENDPOINT ?? null,
    accessKeyId: read.S3_ACCESS_KEY_ID!,
    secretAccessKey: read.S3_SECRET_ACCESS_KEY!,
  }
}

function refuseCombinations({
  databaseUrl,
  redisUrl,
  jwtSecret,
  roles: chosen,
  masterEmail,
  masterPassword,
}: Config) {
  const wrong: string[] = []
  if (databaseUrl && !jwtSecret)
    wrong.push('JWT_SECRET takes at least 32 random bytes; it is required with DATABASE_URL')
  if (chosen.size < roles.length && !databaseUrl)
    wrong.push(
      `ROLES takes all of ${roles.join(',')} with the embedded database: other processes cannot reach it`,
    )
  else if (chosen.size < roles.length && !redisUrl)
    wrong.push('REDIS_URL is needed when ROLES leaves a role to other processes: live events travel over it')
  if ((masterEmail === null) !== (masterPassword === null))
    wrong.push('MASTER_EMAIL and MASTER_PASSWORD are needed together')
  if (wrong.length > 0) throw new ConfigError(wrong.join('\n'))
}

function isTimeZone(name: string) {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}
