import { z } from 'zod'
import { newestBase } from '../../../platform/backup/retention.ts'
import { openTarget } from '../../../platform/backup/target.ts'
import { databaseNow } from '../../../platform/clock.ts'
import { type BackupConfig, type Config, usesExchange } from '../../../platform/config.ts'
import { s3Failure } from '../../../platform/files/s3.ts'
import { whyItFailed } from '../../../platform/observe/log-errors.ts'
import { mailFailure } from '../../../platform/outbound/mail.ts'
import { postgresClient } from '../../../platform/outbound/postgres.client.ts'
import { askAddress, certificateOf } from '../../../platform/outbound/public-address.ts'
import { redisClientOnce } from '../../../platform/outbound/redis.client.ts'
import { openRedisAddress } from '../../../platform/outbound/redis.sentinel.ts'
import { byLimits, type Finding, finding, spanOf } from './findings.rules.ts'

/** The copy of the database, Redis, the server of files, that of mail, and where sealed backups go. */
export async function serverFindings(config: Config): Promise<Finding[]> {
  const { databaseReadUrl, redisUrl, s3, s3Before, smtpUrl, mailFrom, backup } = config
  const bucket = s3 ?? s3Before
  const carrier = usesExchange(config) ? 'PostgreSQL carries live events' : 'REDIS_URL is not set'
  return [
    ...(databaseReadUrl ? [await copyFinding(databaseReadUrl)] : []),
    redisUrl ? await redisFinding(redisUrl) : finding('redis', 'ok', `not used: ${carrier}`),
    bucket
      ? answered(
          'files',
          'the bucket',
          await s3Failure(bucket),
          'look at the S3_ variables and at the server',
        )
      : finding('files', 'ok', 'on the disk of DATA_DIR'),
    smtpUrl && mailFrom
      ? answered('mail', 'the mail server', await mailFailure(smtpUrl), 'look at SMTP_URL and at the server')
      : finding('mail', 'warn', 'no mail is sent: SMTP_URL is not set', 'set SMTP_URL and MAIL_FROM'),
    backup ? await backupFinding(backup) : unsealedFinding(config),
  ]
}

async function copyFinding(url: string): Promise<Finding> {
  const todo = 'look at DATABASE_READ_URL and at the standby: meanwhile the primary answers'
  const client = postgresClient({ connectionString: url, query_timeout: 10_000 })
  client.on('error', () => {}) // the rejection below reports it
  try {
    await client.connect()
    const { rows } = await client.query<{ copies: boolean }>('select pg_is_in_recovery() as copies')
    return rows[0]!.copies
      ? finding('copy', 'ok', 'the copy of DATABASE_READ_URL answers')
      : finding('copy', 'bad', 'DATABASE_READ_URL names no hot standby', todo)
  } catch (error) {
    return finding('copy', 'bad', `the copy does not answer (${whyItFailed(error)})`, todo)
  } finally {
    void client.end().catch(() => {})
  }
}

/** One is made each night. */
const OLD_BACKUP = 30 * 3_600

async function backupFinding(backup: BackupConfig): Promise<Finding> {
  const target = await openTarget(backup)
  try {
    const newest = await newestBase(target)
    if (!newest)
      return finding(
        ...(['backups', 'warn', 'BACKUP_TO holds no backup of this BACKUP_KEY'] as const),
        'a process with the role worker makes one within the hour; npm run backup makes it now',
      )
    const age = Math.max(0, (databaseNow() - newest.at) / 1_000)
    return finding(
      'backups',
      byLimits(age, OLD_BACKUP, 3 * OLD_BACKUP),
      `the newest sealed backup is ${spanOf(age)} old`,
      'Installation in the product says why the last one failed',
    )
  } catch (error) {
    return finding(
      ...(['backups', 'bad', `BACKUP_TO does not answer (${whyItFailed(error)})`] as const),
      'look at the BACKUP_ variables, and at the folder or server',
    )
  } finally {
    target.close()
  }
}

const unsealedFinding = ({ backupDir, databaseUrl }: Config) =>
  backupDir || databaseUrl
    ? finding('backups', 'ok', 'none are sealed: BACKUP_TO is not set')
    : finding('backups', 'warn', 'none are made by themselves', 'set BACKUP_TO and BACKUP_KEY, or BACKUP_DIR')

const answered = (area: string, what: string, failure: unknown, todo: string) =>
  failure === null
    ? finding(area, 'ok', `${what} answers`)
    : finding(area, 'bad', `${what} does not answer (${whyItFailed(failure)})`, todo)

/** The oldest version that has what the product uses (streams, sharded messages). */
const OLDEST_REDIS = 6

async function redisFinding(url: string): Promise<Finding> {
  const address = await openRedisAddress(url)
  const client = redisClientOnce(address.url)
  client.on('error', () => {}) // the rejection below reports it
  try {
    await client.connect()
    const facts = await client.info()
    const known = new Map(
      Array.from(facts.matchAll(/^(\w+):([^\r\n]*)/gm), ([, name, value]) => [name, value ?? ''] as const),
    )
    const of = (name: string) => known.get(name) ?? ''
    const version = of('redis_version')
    if (Number.parseInt(version, 10) < OLDEST_REDIS)
      return finding('redis', 'warn', `Redis ${version}`, 'take Redis 6 or newer')
    const policy = of('maxmemory_policy')
    const isFull = Number(of('maxmemory')) > 0 && Number(of('used_memory')) > Number(of('maxmemory')) * 0.9
    return isFull
      ? finding(
          'redis',
          'warn',
          `Redis ${version} has used 90 % of its memory (${policy})`,
          'raise its maxmemory',
        )
      : finding('redis', 'ok', `Redis ${version} answers`)
  } catch (error) {
    return finding(
      'redis',
      'bad',
      `does not answer (${whyItFailed(error)})`,
      'look at REDIS_URL and at the server',
    )
  } finally {
    if (client.isOpen) client.destroy()
    address.close()
  }
}

const DAY = 86_400

/** The address that people open: its certificate, and what arrives of a call through the proxies in front. */
export async function publicFindings(config: Config, now: number): Promise<Finding[]> {
  const { backendUrl } = config
  if (backendUrl === '')
    return [finding('address', 'warn', 'BACKEND_URL is not set', 'set it: links in letters begin with it')]
  const url = new URL(backendUrl)
  if (url.protocol !== 'https:')
    return [
      finding(
        'address',
        'warn',
        'BACKEND_URL is not https',
        'put a proxy with a certificate in front (deploy/)',
      ),
      await wayFinding(url, config),
    ]
  return [await certificateFinding(url, now), await wayFinding(url, config)]
}

async function certificateFinding(url: URL, now: number): Promise<Finding> {
  const found = await certificateOf(url).catch((error: unknown) => whyItFailed(error))
  const todo = 'renew the certificate in the proxy'
  if (typeof found === 'string')
    return finding(
      'certificate',
      'bad',
      `BACKEND_URL does not answer (${found})`,
      'look at the proxy and at DNS',
    )
  const left = (found.endsAt - now) / 1_000
  if (found.refused) return finding('certificate', 'bad', `browsers refuse it (${found.refused})`, todo)
  return finding(
    'certificate',
    byLimits(-left, -14 * DAY, -3 * DAY),
    `ends in ${spanOf(Math.max(0, left))}`,
    todo,
  )
}

/** What `/health/proxy` answers of the call itself (ops.ts). */
const Way = z.object({
  protocol: z.string().max(20),
  host: z.string().max(300),
  forwarded: z.int().min(0),
  believed: z.int().min(0),
})

async function wayFinding(url: URL, { trustProxy }: Pick<Config, 'trustProxy'>): Promise<Finding> {
  const way = await askAddress(`${url.href.replace(/\/$/, '')}/health/proxy`).then(
    ({ body }) => Way.safeParse(jsonOf(body)).data ?? 'something else answers',
    (error: unknown) => whyItFailed(error),
  )
  if (typeof way === 'string')
    return finding(
      'proxy',
      'bad',
      `BACKEND_URL does not lead here (${way})`,
      'look at the proxy, and whether the product runs',
    )
  const { protocol, host, forwarded, believed } = way
  const wanted = url.protocol.slice(0, -1)
  if (forwarded > believed)
    return finding(
      ...(['proxy', 'bad'] as const),
      `${forwarded} proxies are in front and ${believed} are believed: all callers share limits, and the log has the proxy's address`,
      `TRUST_PROXY=${forwarded}, or the addresses of the proxies`,
    )
  if (forwarded === 0 && trustProxy !== false)
    return finding(
      ...(['proxy', 'bad'] as const),
      'a proxy is believed and names no caller: whoever calls may choose an address',
      'let the proxy set X-Forwarded-For, or TRUST_PROXY=0 without one',
    )
  if (protocol !== wanted)
    return finding(
      'proxy',
      'bad',
      `calls arrive as ${protocol}`,
      'let the proxy set X-Forwarded-Proto, and set TRUST_PROXY',
    )
  if (host !== url.host)
    return finding('proxy', 'warn', 'calls arrive under another host name', 'let the proxy pass Host on')
  return finding('proxy', 'ok', `${forwarded} in front, and what they say arrives`)
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** What the process on this machine alone knows; empty where none answers. */
export async function runningFindings({ port }: Config): Promise<Finding[]> {
  const answer = await askAddress(`http://127.0.0.1:${port}/metrics`).catch(() => null)
  if (answer?.status !== 200) return [finding('process', 'ok', 'none answers on PORT of this machine')]
  const metrics = answer.body
  const unrecorded = Array.from(
    metrics.matchAll(/^balcao_inbound_unrecorded_seconds\{connection="(\d+)"\} ([\d.e+]+)/gm),
    ([, connection, seconds]) => `connection ${connection} for ${spanOf(Number(seconds))}`,
  )
  const lag = Number(/^nodejs_eventloop_lag_p99_seconds ([\d.e+-]+)/m.exec(metrics)?.[1] ?? 0)
  return [
    finding(
      'process',
      byLimits(lag, 0.5, 5),
      `answers within ${Math.round(lag * 1_000)} ms`,
      'give it a processor of its own, or more processes',
    ),
    unrecorded.length === 0
      ? finding('numbers', 'ok', 'what this process receives is recorded')
      : finding(
          'numbers',
          'bad',
          `cannot record what they receive: ${unrecorded.filter((_, at) => at < 5).join('; ')}`,
          'look at its log, and at the database',
        ),
  ]
}
