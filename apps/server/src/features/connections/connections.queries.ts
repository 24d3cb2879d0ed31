import type { Connection, ConnectionSession, Lib } from '@balcao/contract/connections.ts'
import type { ErrorCode } from '@balcao/contract/errors.ts'
import { refuse } from '../../platform/errors.ts'
import type { Sql } from '../../platform/postgres/db.ts'
import { given, statement } from '../../platform/postgres/prepared.ts'
import { and, desc, eq, inArray, ne, type SQL, sql as tag } from '../../platform/postgres/sql.ts'
import type { Tx } from '../../platform/scope.ts'
import { isUnexpired } from '../../platform/work/leases.ts'
import { isSuspended } from '../companies/companies.status.queries.ts'
import { companies } from '../companies/companies.table.ts'
import { users } from '../users/users.table.ts'
import { cloudView } from './connections.rules.ts'
import {
  whatsappCloud,
  whatsappKeys,
  whatsappLeases,
  whatsappQueues,
  whatsapps,
} from './connections.table.ts'

/** Connections with their queues, ordered by name. Codes are encrypted. */
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
    .orderBy(tag`folded(${whatsapps.name})`, whatsapps.id)
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
  select coalesce(json_agg(json_build_object('id', q.id, 'name', q.name, 'color', q.color, 'greetingMessage', q.greeting_message, 'outOfHoursMessage', q.out_of_hours_message) order by folded(q.name)), '[]')
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
  statusUntil,
  restrictedUntil,
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
  statusUntil,
  restrictedUntil,
  whatsappNumber,
  qrcode,
  pairingCode,
  retries,
  session,
  updatedAt,
})

/** The driver of a connection; null when it was deleted. */
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

/** Whether the session is open or reconnecting. */
export const isUnderWay = tag<boolean>`${whatsapps.status} in ('CONNECTED', 'OPENING')`

/** Whether the session is open now. Reconnecting may last days: automatic messages wait for it. */
export const isConnected = tag<boolean>`${whatsapps.status} = 'CONNECTED'`

/** Whether messages on a connection are sent now. */
export async function leavesNow(tx: Tx, whatsappId: number): Promise<boolean> {
  const [row] = await tx.sql
    .select({ is: isConnected })
    .from(whatsapps)
    .where(and(eq(whatsapps.companyId, tx.companyId), eq(whatsapps.id, whatsappId)))
  return row?.is === true && !(await isSuspended(tx))
}

/** Connections whose outbox is being sent, or will be after a reconnection; none of a suspended company. */
export const connectionsUnderWay = statement(
  sql =>
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
  () => ({}),
  rows => rows.map(({ id }) => id),
)

/** The leases that a process holds on connections of the company, which stay so until the transaction ends. */
export const heldLeases = statement(
  sql =>
    sql
      .select({ whatsappId: whatsappLeases.whatsappId, epoch: whatsappLeases.epoch })
      .from(whatsappLeases)
      .where(
        and(
          eq(whatsappLeases.companyId, given('companyId')),
          tag`${whatsappLeases.whatsappId} = any(${given('whatsappIds')}::int[])`,
          eq(whatsappLeases.owner, given('owner')),
          isUnexpired(whatsappLeases.expiresAt),
        ),
      )
      .orderBy(whatsappLeases.whatsappId)
      .for('key share'),
  (owner: string, whatsappIds: number[]) => ({ owner, whatsappIds }),
)

/** The error for sending on a connection that is not among `connectionsUnderWay`. */
export const whyNotUnderWay = async (tx: Tx): Promise<ErrorCode> =>
  (await isSuspended(tx)) ? 'ERR_COMPANY_SUSPENDED' : 'ERR_WAPP_NOT_INITIALIZED'

/** The connection for notices of the platform (OP-128). */
export interface Centre {
  companyId: number
  whatsappId: number
  isConnected: boolean
}

/** Of any company; of several a connected one. */
export async function notificationCentre(sql: Sql): Promise<Centre | null> {
  const [row] = await sql
    .select({ companyId: whatsapps.companyId, whatsappId: whatsapps.id, isConnected })
    .from(whatsapps)
    .where(eq(whatsapps.saasNotificationCenter, true))
    .orderBy(desc(isConnected), whatsapps.id)
    .limit(1)
  return row ?? null
}

/** Locks all connections of the company: changes of the default are serialised. */
export const lockConnections = (tx: Tx) =>
  tx.sql
    .select({ id: whatsapps.id, isDefault: whatsapps.isDefault, status: whatsapps.status })
    .from(whatsapps)
    .where(eq(whatsapps.companyId, tx.companyId))
    .orderBy(whatsapps.id)
    .for('update')

/** Locks connections (what refers to them may still be inserted), in the order of their ids, and reads their states. */
export async function lockStates(tx: Tx, whatsappIds: number[]): Promise<Map<number, string>> {
  const rows = await tx.sql
    .select({ id: whatsapps.id, status: whatsapps.status })
    .from(whatsapps)
    .where(and(eq(whatsapps.companyId, tx.companyId), inArray(whatsapps.id, whatsappIds)))
    .orderBy(whatsapps.id)
    .for('no key update')
  return new Map(rows.map(({ id, status }) => [id, status]))
}

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

/** The connection that checks numbers. The official API has no such call. */
export async function connectionForChecks(sql: Sql): Promise<number | null> {
  const isOperators = tag`exists (
    select from ${users} u where u.company_id = ${whatsapps.companyId} and u.master = 1)`
  const [row] = await sql
    .select({ id: whatsapps.id })
    .from(whatsapps)
    .where(
      and(
        eq(whatsapps.status, 'CONNECTED'),
        ne(whatsapps.lib, 'cloud'),
        tag`(${whatsapps.saasNotificationCenter} or ${isOperators})`,
      ),
    )
    .orderBy(desc(whatsapps.saasNotificationCenter), desc(whatsapps.isDefault), whatsapps.id)
    .limit(1)
  return row?.id ?? null
}

export async function hasConnectionNamed(tx: Tx, name: string): Promise<boolean> {
  const rows = await tx.sql
    .select({ id: whatsapps.id })
    .from(whatsapps)
    .where(and(eq(whatsapps.companyId, tx.companyId), eq(whatsapps.name, name)))
  return rows.length > 0
}
