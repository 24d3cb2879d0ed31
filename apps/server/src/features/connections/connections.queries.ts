import type { Connection, ConnectionSession, Lib } from '@balcao/contract/connections.ts'
import type { ErrorCode } from '@balcao/contract/errors.ts'
import { given, prepared } from '../../platform/db.prepared.ts'
import type { Sql } from '../../platform/db.ts'
import { refuse } from '../../platform/errors.ts'
import type { Tx } from '../../platform/scope.ts'
import { and, desc, eq, type SQL, sql as tag } from '../../platform/sql.ts'
import { isSuspended } from '../companies/companies.standing.ts'
import { companies } from '../companies/companies.table.ts'
import { users } from '../users/users.table.ts'
import { cloudView } from './connections.cloud.ts'
import { whatsappCloud, whatsappKeys, whatsappQueues, whatsapps } from './connections.table.ts'

/** Connections with their queues, by name; one statement however many. Codes are still encrypted. */
export async function selectConnections(tx: Tx, where?: SQL): Promise<Connection[]> {
  const rows = await tx.sql
    .select({
      whatsapp: whatsapps,
      queues: queuesOfConnection,
      company: { id: companies.id, name: companies.name },
      cloud: whatsappCloud,
    })
    .from(whatsapps)
    .innerJoin(companies, eq(companies.id, whatsapps.companyId))
    .leftJoin(
      whatsappCloud,
      and(eq(whatsappCloud.companyId, whatsapps.companyId), eq(whatsappCloud.whatsappId, whatsapps.id)),
    )
    .where(and(eq(whatsapps.companyId, tx.companyId), where))
    .orderBy(tag`lower(${whatsapps.name})`, whatsapps.id)
  return rows.map(({ whatsapp, queues, company, cloud }) => ({
    ...whatsapp,
    whatsappNumber: whatsapp.number,
    session: whatsapp.wanted === 'on' || whatsapp.wanted === 'renew' ? ('on' as const) : ('' as const),
    queues,
    queueIds: queues.map(queue => queue.id),
    company,
    cloud: cloud && cloudView(cloud),
  }))
}

const queuesOfConnection = tag<Connection['queues']>`(
  select coalesce(json_agg(json_build_object('id', q.id, 'name', q.name, 'color', q.color, 'greetingMessage', q.greeting_message) order by lower(q.name)), '[]')
  from whatsapp_queues wq join queues q on q.company_id = wq.company_id and q.id = wq.queue_id
  where wq.company_id = ${whatsapps.companyId} and wq.whatsapp_id = ${whatsapps.id})`

/** Refuses with ERR_NO_WAPP_FOUND. */
export async function findConnection(tx: Tx, whatsappId: number): Promise<Connection> {
  const [connection] = await selectConnections(tx, eq(whatsapps.id, whatsappId))
  return connection ?? refuse('ERR_NO_WAPP_FOUND')
}

export const sessionOf = ({
  id,
  status,
  statusReason,
  whatsappNumber,
  qrcode,
  pairingCode,
  retries,
  session,
  updatedAt,
}: Connection): ConnectionSession => ({
  id,
  status,
  statusReason,
  whatsappNumber,
  qrcode,
  pairingCode,
  retries,
  session,
  updatedAt,
})

/** Which driver speaks on a connection; null when it is gone. */
export async function libOf(tx: Tx, whatsappId: number): Promise<Lib | null> {
  const [row] = await tx.sql
    .select({ lib: whatsapps.lib })
    .from(whatsapps)
    .where(and(eq(whatsapps.companyId, tx.companyId), eq(whatsapps.id, whatsappId)))
  return row?.lib ?? null
}

export async function defaultConnection(tx: Tx): Promise<number | null> {
  const [row] = await tx.sql
    .select({ id: whatsapps.id })
    .from(whatsapps)
    .where(and(eq(whatsapps.companyId, tx.companyId), whatsapps.isDefault))
  return row?.id ?? null
}

/** The connection a user starts conversations on, when it still exists. */
export async function userConnection(tx: Tx, userId: number): Promise<number | null> {
  const [row] = await tx.sql
    .select({ id: whatsapps.id })
    .from(users)
    .innerJoin(whatsapps, and(eq(whatsapps.companyId, users.companyId), eq(whatsapps.id, users.whatsappId)))
    .where(and(eq(users.companyId, tx.companyId), eq(users.id, userId)))
  return row?.id ?? null
}

export async function queueIdsOf(tx: Tx, whatsappId: number): Promise<number[]> {
  const rows = await tx.sql
    .select({ queueId: whatsappQueues.queueId })
    .from(whatsappQueues)
    .where(and(eq(whatsappQueues.companyId, tx.companyId), eq(whatsappQueues.whatsappId, whatsappId)))
  return rows.map(row => row.queueId)
}

/** Of a connection: whether its session is open, or on its way back. */
export const isUnderWay = tag<boolean>`${whatsapps.status} in ('CONNECTED', 'OPENING')`

/**
 * Whose session is open or on its way back: what is sent there now will leave by itself. Of a company that is suspended
 * nothing leaves.
 */
export async function connectionsUnderWay(tx: Tx): Promise<number[]> {
  const rows = await underWay(tx.sql, { companyId: tx.companyId })
  return rows.map(row => row.id)
}

const underWay = prepared(sql =>
  sql
    .select({ id: whatsapps.id })
    .from(whatsapps)
    .where(
      and(
        eq(whatsapps.companyId, given('companyId')),
        isUnderWay,
        tag`(select c.suspended_at is null from companies c where c.id = ${given('companyId')})`,
      ),
    ),
)

/** Why something cannot be sent on a connection that is not among `connectionsUnderWay`. */
export const whyNotUnderWay = async (tx: Tx): Promise<ErrorCode> =>
  (await isSuspended(tx)) ? 'ERR_COMPANY_SUSPENDED' : 'ERR_WAPP_NOT_INITIALIZED'

/** The connection that carries the platform's own notices (OP-128). */
export interface Centre {
  companyId: number
  whatsappId: number
  isUnderWay: boolean
}

/** Of whatever company; of several the one that is connected. */
export async function notificationCentre(sql: Sql): Promise<Centre | null> {
  const [row] = await sql
    .select({ companyId: whatsapps.companyId, whatsappId: whatsapps.id, isUnderWay })
    .from(whatsapps)
    .where(eq(whatsapps.saasNotificationCenter, true))
    .orderBy(desc(isUnderWay), whatsapps.id)
    .limit(1)
  return row ?? null
}

/** Every connection of the company, locked: one at a time decides which is the default. */
export const lockConnections = (tx: Tx) =>
  tx.sql
    .select({ id: whatsapps.id, isDefault: whatsapps.isDefault })
    .from(whatsapps)
    .where(eq(whatsapps.companyId, tx.companyId))
    .orderBy(whatsapps.id)
    .for('update')

export async function hasKeys(tx: Tx, whatsappId: number): Promise<boolean> {
  const [row] = await tx.sql
    .select({ id: whatsappKeys.id })
    .from(whatsappKeys)
    .where(and(eq(whatsappKeys.companyId, tx.companyId), eq(whatsappKeys.whatsappId, whatsappId)))
    .limit(1)
  return row !== undefined
}

export async function connectionsOfQueue(tx: Tx, queueId: number): Promise<number[]> {
  const rows = await tx.sql
    .select({ id: whatsappQueues.whatsappId })
    .from(whatsappQueues)
    .where(and(eq(whatsappQueues.companyId, tx.companyId), eq(whatsappQueues.queueId, queueId)))
  return rows.map(row => row.id)
}
