import { z } from 'zod'
import { instant, localeTag, page, pageQuery, route } from './kit.ts'

/** One process of the installation, as it last reported. The first five fields are the documents’. */
export const ProcessData = z.object({
  /** What it does, and where: `web+worker@host-1`. */
  name: z.string(),
  /** Processor in percent of one core, memory in bytes. */
  monit: z.object({ cpu: z.number(), memory: z.number() }),
  /** When it started, in milliseconds since 1970. */
  pm_uptime: z.number(),
  /** How often one of this name had to be started anew. */
  restart_time: z.int(),
  pid: z.int(),
  version: z.string(),
  /** Connections that it runs. */
  sessions: z.int(),
  /** Event loop delay at the 99th percentile, in milliseconds. */
  eventLoopDelay: z.number(),
  beatAt: instant,
  /** False: its heartbeat is overdue. */
  isAlive: z.boolean(),
})
export type ProcessData = z.infer<typeof ProcessData>

/** The machine of the process that answers; sizes in bytes, loads in percent. */
export const SystemData = z.object({
  /** Where the installation keeps its data. */
  disk: z.object({ total: z.number(), available: z.number() }),
  memory: z.object({ total: z.number(), free: z.number() }),
  cpu: z.object({ currentLoad: z.number(), perCoreLoad: z.array(z.number()) }),
  os: z.object({ host: z.string(), name: z.string(), cores: z.int(), uptime: z.number() }),
})
export type SystemData = z.infer<typeof SystemData>

/** What waits and fails of one kind of work. */
export const JobQueue = z.object({
  name: z.string(),
  waiting: z.int(),
  /** Not before a later moment. */
  deferred: z.int(),
  active: z.int(),
  failed: z.int(),
  /** Of those that could be done now the one that waits longest. */
  oldestAt: instant.nullable(),
})
export type JobQueue = z.infer<typeof JobQueue>

/** Another server that the installation uses, as the process that answers last met it. */
export const ServerStatus = z.object({
  name: z.enum(['files', 'mail', 'redis']),
  /** Its name and port; the folder where files are on a disk; empty where none is set up. */
  place: z.string(),
  /** `unknown`: not asked yet. */
  state: z.enum(['up', 'down', 'full', 'unset', 'unknown']),
  /** Why it does not answer. */
  why: z.string(),
  since: instant.nullable(),
})
export type ServerStatus = z.infer<typeof ServerStatus>

const ofCompany = { companyId: z.int(), company: z.string() }

/** A connection that should run and does not. */
export const BrokenConnection = z.object({
  ...ofCompany,
  whatsappId: z.int(),
  name: z.string(),
  status: z.string(),
  /** A code of the catalogue, or empty. */
  reason: z.string(),
  since: instant,
})
export type BrokenConnection = z.infer<typeof BrokenConnection>

/** Letters that were refused or wait for more than ten minutes, or webhooks whose receiver fails, of one company. */
export const FailedSending = z.object({
  ...ofCompany,
  kind: z.enum(['mail', 'webhook']),
  count: z.int(),
  since: instant,
})
export type FailedSending = z.infer<typeof FailedSending>

/** What a company keeps. */
export const CompanySize = z.object({
  ...ofCompany,
  /** On a long table those of last night. */
  messages: z.int(),
  files: z.int(),
  bytes: z.number(),
  /** Since when it is being deleted. */
  leavingAt: instant.nullable(),
})
export type CompanySize = z.infer<typeof CompanySize>

/** What an installation can do without, and lacks: variables, and what the operator enters. */
export const Lack = z.enum(['BACKEND_URL', 'SMTP_URL', 'BACKUP_TO', 'prices', 'notices'])
export type Lack = z.infer<typeof Lack>

/** So many rows of a kind are listed. */
export const OVERVIEW_ROWS = 200

/** The sealed backups of BACKUP_TO, as their last runs ended. */
export const SealedBackups = z.object({
  /** Folder or bucket. */
  place: z.string(),
  /** When the newest was begun; null before the first. */
  at: instant.nullable(),
  bytes: z.number(),
  /** The newest that was restored once. */
  verifiedAt: instant.nullable(),
  /** Why the last run failed; empty where it did not. */
  failure: z.string(),
  /** Until when the log of the embedded database is there, from which any moment is restored; null without one. */
  logUntil: instant.nullable(),
  logFailure: z.string(),
  /** The newest drill that succeeded, and why the last one failed. */
  drilledAt: instant.nullable(),
  drillFailure: z.string(),
})
export type SealedBackups = z.infer<typeof SealedBackups>

/** What the operator looks after, all companies together. */
export const Overview = z.object({
  version: z.string(),
  /** Of which it was built; null where that is not known. */
  commit: z.string().nullable(),
  /** The newest migration that it knows. */
  migration: z.string(),
  /** A newer version that is there, asked once a day where VERSION_URL says where; null for none, or while it is not known. */
  newer: z.string().nullable(),
  database: z.string(),
  lacks: z.array(Lack),
  /** The newest of BACKUP_DIR, which was restored once; null without one. */
  backup: z.object({ at: instant, bytes: z.number() }).nullable(),
  /** Null without BACKUP_TO. */
  sealed: SealedBackups.nullable(),
  connections: z.array(BrokenConnection),
  failures: z.array(FailedSending),
})
export type Overview = z.infer<typeof Overview>

const Versions = z.object({ product: z.string(), node: z.string(), database: z.string() })

export const SYSTEM_ACTIONS = [
  'restart',
  'update',
  'getPm2Info',
  'getSystemResources',
  'diagnostic',
  'reprocessRecentMessages',
] as const
export type SystemAction = (typeof SYSTEM_ACTIONS)[number]

export const systemControl = {
  act: route('POST', '/systemcontrol', {
    needs: 'master',
    summary:
      'Does something to the installation, or tells of it: getPm2Info answers pm2Info, getSystemResources systemInfo, diagnostic versions and queues. restart and update run the configured command and answer whether there is one; reprocessRecentMessages handles everything that was heard in the last 24 hours again, in the background.',
    body: z.object({ action: z.enum(SYSTEM_ACTIONS) }),
    reply: z.object({
      pm2Info: z.array(ProcessData).optional(),
      systemInfo: SystemData.optional(),
      versions: Versions.optional(),
      queues: z.array(JobQueue).optional(),
      isConfigured: z.boolean().optional(),
    }),
  }),
  adjustDb: route('GET', '/adjustDb', {
    needs: 'master',
    summary:
      'Repairs what can be computed again: columns that lack, the counts of tickets and contacts, and what is unread. Answers how many of each were wrong; none when it is called again.',
    reply: z.object({
      ok: z.literal(true),
      found: z.object({ ticketCounts: z.int(), contactCounts: z.int(), unread: z.int() }),
    }),
    limit: { counts: 'calls', caller: 6 },
  }),
  overview: route('GET', '/installation', {
    needs: 'master',
    summary:
      'What the operator looks after in all companies: connections that should run and do not, letters and webhooks that fail, the newest backup, sealed backups and their drills, and what the installation lacks. At most 200 rows of a kind.',
    reply: Overview,
    limit: { counts: 'calls', caller: 60 },
  }),
  companies: route('GET', '/installation/companies', {
    needs: 'master',
    summary:
      'What each company keeps, the largest first, a page at a time; the search looks at name, company name and e-mail.',
    query: pageQuery,
    reply: page('companies', CompanySize),
    limit: { counts: 'calls', caller: 120 },
  }),
  queues: route('GET', '/jobQueues', {
    needs: 'master',
    summary: 'What waits, runs and failed of each kind of background work, all companies together.',
    reply: z.array(JobQueue),
  }),
  servers: route('GET', '/systemServers', {
    needs: 'master',
    summary: 'The servers of files, mail and Redis: where they are, whether they answer, and why not.',
    reply: z.array(ServerStatus),
  }),
  testMail: route('POST', '/systemServers/mail', {
    needs: 'master',
    summary:
      'Sends a letter to the caller at once. ERR_NO_MAIL without a mail server; ERR_MAIL_REFUSED where it does not accept the letter, with its `reason`.',
    body: z.object({ language: localeTag.default('ptBR') }),
    reply: z.object({ to: z.string() }),
    limit: { counts: 'calls', caller: 6 },
  }),
  retryFailed: route('POST', '/jobQueues/:name/retry', {
    needs: 'master',
    summary: 'Tries everything again that failed of one kind.',
    params: z.object({ name: z.string().max(100) }),
    reply: z.object({ retried: z.int() }),
  }),
}
