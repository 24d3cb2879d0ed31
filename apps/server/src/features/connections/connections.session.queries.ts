import { databaseTime } from '../../platform/clock.ts'
import { given, prepared } from '../../platform/postgres/prepared.ts'
import { and, eq, isNull, lte, ne, or, sql as tag } from '../../platform/postgres/sql.ts'
import type { PlatformScope, Tx } from '../../platform/scope.ts'
import { companies } from '../companies/companies.table.ts'
import { whatsappLeases, whatsapps } from './connections.table.ts'

export type Wanted = 'on' | 'renew' | 'logout' | 'off'

export type SessionFields = Partial<typeof whatsapps.$inferInsert>

export const setDesired = (tx: Tx, whatsappId: number, desired: SessionFields) =>
  tx.sql
    .update(whatsapps)
    .set({ ...desired, wantedOrder: tag`${whatsapps.wantedOrder} + 1`, updatedAt: databaseTime() })
    .where(byId(tx, whatsappId))

/** Of a connection that is being removed nothing changes: a session that ends for it may still report, and would end the removal. */
export const updateSession = (tx: Tx, whatsappId: number, fields: SessionFields) =>
  tx.sql
    .update(whatsapps)
    .set({ ...fields, ...paired(fields), updatedAt: databaseTime() })
    .where(and(byId(tx, whatsappId), ne(whatsapps.status, 'REMOVING')))

/** A new code ends the pairing; a reconnection with the same keys keeps its time. */
function paired({ status, number }: Pick<SessionFields, 'status' | 'number'>) {
  if (status === 'qrcode' || number === '') return { pairedAt: null }
  if (status !== 'CONNECTED') return {}
  const isOther = number === undefined ? tag`false` : tag`${whatsapps.number} not in ('', ${number})`
  return { pairedAt: tag`case when ${isOther} then now() else coalesce(${whatsapps.pairedAt}, now()) end` }
}

export type DesiredState = Awaited<ReturnType<typeof desiredStates>>[number]

/**
 * Of the connections of active companies those without an unexpired lease, in an order of this process's own, and those that
 * this process owns whose order is newer than the one in `known`.
 */
export const desiredStates = (
  platform: PlatformScope,
  owner: string,
  known: { whatsappId: number; order: number }[],
) =>
  platform.list(sql =>
    selectDesired(sql, {
      owner,
      ids: `{${known.map(({ whatsappId }) => whatsappId)}}`,
      orders: `{${known.map(({ order }) => order)}}`,
    }),
  )

const selectDesired = prepared(sql =>
  sql
    .select({
      companyId: whatsapps.companyId,
      whatsappId: whatsapps.id,
      lib: whatsapps.lib,
      wanted: whatsapps.wanted,
      number: whatsapps.wantedOrder,
      pairNumber: whatsapps.wantedNumber,
    })
    .from(whatsapps)
    .innerJoin(companies, eq(companies.id, whatsapps.companyId))
    .leftJoin(
      whatsappLeases,
      and(eq(whatsappLeases.companyId, whatsapps.companyId), eq(whatsappLeases.whatsappId, whatsapps.id)),
    )
    .leftJoin(
      tag`unnest(${given('ids')}::int[], ${given('orders')}::int[]) known(id, number)`,
      tag`known.id = ${whatsapps.id}`,
    )
    .where(
      and(
        eq(companies.status, 1),
        isNull(whatsapps.restingSince),
        ne(whatsapps.wanted, 'off'),
        or(
          isNull(whatsappLeases.owner),
          lte(whatsappLeases.expiresAt, tag`now()`),
          and(eq(whatsappLeases.owner, given('owner')), tag`known.number < ${whatsapps.wantedOrder}`),
        ),
      ),
    )
    .orderBy(tag`md5(${whatsapps.id}::text || ${given('owner')})`),
)

/** Replaces a desired state that must not be applied twice by its result, unless a newer one was requested. */
export const replaceDesired = (tx: Tx, whatsappId: number, order: number, wanted: Wanted) =>
  tx.sql
    .update(whatsapps)
    .set({ wanted })
    .where(
      and(
        eq(whatsapps.companyId, tx.companyId),
        eq(whatsapps.id, whatsappId),
        eq(whatsapps.wantedOrder, order),
      ),
    )

/** When a connection that is closed for a time is opened again; null when it is not closed so. */
export async function restsUntil(tx: Tx, whatsappId: number): Promise<string | null> {
  const [row] = await tx.sql
    .select({ until: whatsapps.statusUntil })
    .from(whatsapps)
    .where(and(byId(tx, whatsappId), eq(whatsapps.status, 'DISCONNECTED')))
  return row?.until ?? null
}

/** Whether messages of groups are received on a connection. */
export async function acceptsGroups(tx: Tx, whatsappId: number): Promise<boolean> {
  const [row] = await tx.sql
    .select({ disabled: whatsapps.disableGroupMessages })
    .from(whatsapps)
    .where(and(eq(whatsapps.companyId, tx.companyId), eq(whatsapps.id, whatsappId)))
  return row?.disabled === false
}

const byId = (tx: Tx, whatsappId: number) =>
  and(eq(whatsapps.companyId, tx.companyId), eq(whatsapps.id, whatsappId))

/** Whether it does not run, since the company has more connections than its plan. */
export async function isResting(tx: Tx, whatsappId: number): Promise<boolean> {
  const [row] = await tx.sql
    .select({ restingSince: whatsapps.restingSince })
    .from(whatsapps)
    .where(and(eq(whatsapps.companyId, tx.companyId), eq(whatsapps.id, whatsappId)))
  return row !== undefined && row.restingSince !== null
}
