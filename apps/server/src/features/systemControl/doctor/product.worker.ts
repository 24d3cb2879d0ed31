import type { FigureGroup, Sample } from '../../../platform/observe/figures.ts'
import type { Sql } from '../../../platform/postgres/db.ts'
import { brokenConnections, failedSendings } from '../systemControl.overview.queries.ts'
import { listedFinding } from './database.worker.ts'
import { byLimits, type Finding, finding, spanOf } from './findings.rules.ts'

/** What /metrics answers of the installation, of all groups. */
export async function samplesOf(sql: Sql, groups: FigureGroup[]): Promise<Sample[]> {
  const samples: Sample[] = []
  for (const { read } of groups) samples.push(...(await read(sql)))
  return samples
}

interface Limit {
  metric: string
  what: (sample: Sample) => string
  /** From which value on. */
  warn: number
  bad: number
  todo: string
  labels?: Record<string, string>
}

const age =
  (what: string) =>
  ({ value, labels }: Sample) =>
    `${what.replace('QUEUE', labels?.queue ?? '')} since ${spanOf(value)}`
const count =
  (what: string) =>
  ({ value, labels }: Sample) =>
    `${what.replace('QUEUE', labels?.queue ?? '')}: ${value}`

/** The limits of deploy/alerts.yml. */
const LIMITS: Limit[] = [
  {
    ...{
      metric: 'balcao_connections_unowned',
      what: count('numbers that are switched on and no process runs'),
    },
    ...{ warn: 1, bad: 1, todo: 'start a process with the role channels, and look at its log' },
  },
  {
    ...{ metric: 'balcao_outbox_oldest_seconds', labels: { connected: 'true' } },
    ...{ what: age('a message of a connected number waits to be sent'), warn: 300, bad: 600 },
    todo: 'look at the log of the process with the role channels for the number',
  },
  {
    ...{
      metric: 'balcao_inbound_oldest_seconds',
      what: age('a received message is not handled'),
      warn: 300,
      bad: 600,
    },
    todo: 'see the message logs in the product: they say why, and handle it again',
  },
  {
    ...{ metric: 'balcao_jobs_oldest_seconds', what: age('a job of QUEUE waits'), warn: 300, bad: 900 },
    todo: 'start a process with the role worker, and look at its log',
  },
  {
    ...{ metric: 'balcao_jobs', labels: { state: 'failed' }, what: count('failed jobs of QUEUE'), warn: 1 },
    ...{ bad: Number.POSITIVE_INFINITY, todo: 'System control in the product tries them again' },
  },
  {
    ...{ metric: 'balcao_mails_oldest_seconds', what: age('a letter waits'), warn: 3_600, bad: 86_400 },
    todo: 'look whether the mail server answers, above',
  },
  {
    ...{ metric: 'balcao_webhook_deliveries_oldest_seconds', what: age('a delivery of a webhook waits') },
    ...{ warn: 3_600, bad: 86_400, todo: 'its receiver does not answer, or no process has the role worker' },
  },
  {
    ...{ metric: 'balcao_push_deliveries_oldest_seconds', what: age('a notification of a device waits') },
    ...{ warn: 900, bad: 86_400, todo: 'the push services are not reached from here' },
  },
  {
    ...{ metric: 'balcao_processes', labels: { state: 'silent' }, warn: 1, bad: Number.POSITIVE_INFINITY },
    what: count('processes that ended without a stop, or do not reach the database'),
    todo: 'look at the log of the service; a name is forgotten after a day',
  },
]

export function figureFindings(samples: Sample[]): Finding[] {
  const passed = LIMITS.flatMap(({ metric, labels = {}, what, warn, bad, todo }) =>
    samples
      .filter(one => one.metric === metric)
      .filter(one => Object.entries(labels).every(([name, value]) => one.labels?.[name] === value))
      .map(one => finding('work', byLimits(one.value, warn, bad), what(one), todo))
      .filter(({ level }) => level !== 'ok'),
  )
  return passed.length > 0 ? passed : [finding('work', 'ok', 'nothing waits for long, and nothing failed')]
}

/** Connections and webhooks, by their ids: names are of companies. */
export async function productFindings(sql: Sql, now: number): Promise<Finding[]> {
  const broken = await brokenConnections(sql)
  const webhooks = (await failedSendings(sql)).filter(({ kind }) => kind === 'webhook')
  const sinceOf = (since: string) => spanOf(Math.max(0, (now - Date.parse(since)) / 1_000))
  return [
    listedFinding('numbers', broken, 'should be connected and are not', {
      none: 'all that should be are connected',
      each: ({ whatsappId, companyId, status, reason, since }) =>
        `connection ${whatsappId} of company ${companyId} (${reason || status}) since ${sinceOf(since)}`,
      todo: 'Installation in the product lists them; a number that was unlinked is paired again by its company',
    }),
    listedFinding('webhooks', webhooks, 'companies have webhooks that fail or were switched off', {
      none: 'none fails',
      each: ({ companyId, count: webhooksOf, since }) =>
        `company ${companyId}, ${webhooksOf}, since ${sinceOf(since)}`,
      todo: 'the company sees why on its screen Webhooks',
    }),
  ]
}
