import { z } from 'zod'
import { instant, route } from './kit.ts'

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
  queues: route('GET', '/jobQueues', {
    needs: 'master',
    summary: 'What waits, runs and failed of each kind of background work, all companies together.',
    reply: z.array(JobQueue),
  }),
  retryFailed: route('POST', '/jobQueues/:name/retry', {
    needs: 'master',
    summary: 'Tries everything again that failed of one kind.',
    params: z.object({ name: z.string().max(100) }),
    reply: z.object({ retried: z.int() }),
  }),
}
