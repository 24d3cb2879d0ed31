import { type Fall, MOST_FALLS } from '@balcao/contract/connections.ts'
import { and, desc, eq, isNull, ne, sql as tag } from '../../platform/postgres/sql.ts'
import type { Tx } from '../../platform/scope.ts'
import { whatsappFalls } from './connections.table.ts'

/** A restriction is over at its end or when WhatsApp lifts it, not when the connection is back. */
export const RESTRICTION = 'ERR_WAPP_RESTRICTED'

export const selectFalls = (tx: Tx, whatsappId: number): Promise<Fall[]> =>
  tx.sql
    .select({
      id: whatsappFalls.id,
      reason: whatsappFalls.reason,
      code: whatsappFalls.code,
      at: whatsappFalls.at,
      until: whatsappFalls.until,
      backAt: whatsappFalls.backAt,
    })
    .from(whatsappFalls)
    .where(ofConnection(tx, whatsappId))
    .orderBy(desc(whatsappFalls.id))
    .limit(MOST_FALLS)

/** One that lasts, for the same reason, goes on: it is not written again. Keeps the newest of the connection. */
export async function recordFall(
  tx: Tx,
  whatsappId: number,
  { reason, code, until }: Pick<Fall, 'reason' | 'code' | 'until'>,
): Promise<void> {
  const going = await tx.sql
    .update(whatsappFalls)
    .set({ until })
    .where(
      and(
        ofConnection(tx, whatsappId),
        isNull(whatsappFalls.backAt),
        eq(whatsappFalls.reason, reason),
        eq(whatsappFalls.code, code),
      ),
    )
    .returning({ id: whatsappFalls.id })
  if (going.length > 0) return
  await tx.sql.insert(whatsappFalls).values({ companyId: tx.companyId, whatsappId, reason, code, until })
  await tx.sql.delete(whatsappFalls).where(
    and(
      ofConnection(tx, whatsappId),
      tag`${whatsappFalls.id} <= (select f.id from whatsapp_falls f
        where f.company_id = ${tx.companyId} and f.whatsapp_id = ${whatsappId}
        order by f.id desc offset ${MOST_FALLS} limit 1)`,
    ),
  )
}

/** The connection is back: what lasted is over. */
export const endFalls = (tx: Tx, whatsappId: number) =>
  tx.sql
    .update(whatsappFalls)
    .set({ backAt: tag`now()` })
    .where(and(lasting(tx, whatsappId), ne(whatsappFalls.reason, RESTRICTION)))

export const endRestriction = (tx: Tx, whatsappId: number) =>
  tx.sql
    .update(whatsappFalls)
    .set({ backAt: tag`least(now(), ${whatsappFalls.until})` })
    .where(and(lasting(tx, whatsappId), eq(whatsappFalls.reason, RESTRICTION)))

const lasting = (tx: Tx, whatsappId: number) =>
  and(ofConnection(tx, whatsappId), isNull(whatsappFalls.backAt))

const ofConnection = (tx: Tx, whatsappId: number) =>
  and(eq(whatsappFalls.companyId, tx.companyId), eq(whatsappFalls.whatsappId, whatsappId))
