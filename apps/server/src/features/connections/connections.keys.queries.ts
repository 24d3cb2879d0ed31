import type { KeyRows } from '../../driver.ts'
import type { Platform } from '../../platform/app.ts'
import { databaseTime } from '../../platform/clock.ts'
import { type ExternalId, externalKeyOf } from '../../platform/external.ts'
import { and, eq, inArray, type SQL, sql as tag } from '../../platform/postgres/sql.ts'
import type { Tx } from '../../platform/scope.ts'
import { lifetime } from '../../platform/work/retention.ts'
import type { Fence } from './connections.leases.queries.ts'
import { UNREAD_KIND } from './connections.rules.ts'
import { whatsappKeys } from './connections.table.ts'

/** What only later changes of a message need: phones edit within a quarter of an hour, and arrive late after a night without a network. */
export const passingKeys = lifetime(whatsappKeys, whatsappKeys.passingSince, 2)

/** Deletes what is kept of messages that leave, or lose their content. */
export async function removeUnreadKinds(
  tx: Tx,
  messages: { whatsappId: number | null; externalId: ExternalId }[],
): Promise<void> {
  for (const [whatsappId, some] of Map.groupBy(messages, one => one.whatsappId))
    if (whatsappId !== null)
      await remove(
        tx,
        { companyId: tx.companyId, whatsappId },
        UNREAD_KIND,
        some.map(({ externalId }) => externalId),
      )
}

interface Place {
  companyId: number
  whatsappId: number
}

/** The key rows of one connection; values are encrypted in the database. Ids hold what others chose, of any length. */
export function keyRows(
  { scopes, secrets }: Platform,
  companyId: number,
  whatsappId: number,
  fence: Fence,
): KeyRows {
  const scope = scopes.promised(companyId)
  const place = { companyId, whatsappId }
  const opened = (rows: { id: string; value: string }[]) =>
    new Map(rows.map(row => [row.id, secrets.open(companyId, row.value)]))
  return {
    async read(type, ids) {
      const asked = new Map<string, string>(ids.map(id => [externalKeyOf(id), id]))
      const these = inArray(whatsappKeys.id, ids.map(externalKeyOf))
      const found = await scope.transaction(async tx => opened(await select(tx, place, type, these)))
      return new Map([...found].map(([id, value]) => [asked.get(id)!, value]))
    },
    readAll: type => scope.transaction(async tx => opened(await select(tx, place, type))),
    write: rows =>
      scope.transaction(async tx => {
        await fence(tx)
        const removed = rows.filter(({ value }) => value === null)
        for (const [type, some] of Map.groupBy(removed, row => row.type))
          await remove(
            tx,
            place,
            type,
            some.map(({ id }) => externalKeyOf(id)),
          )
        const now = databaseTime()
        const kept = rows.flatMap(({ type, id, value, isPassing }) =>
          value === null
            ? []
            : [
                {
                  ...place,
                  type,
                  id: externalKeyOf(id),
                  value: secrets.seal(companyId, value),
                  passingSince: isPassing ? now : null,
                },
              ],
        )
        if (kept.length > 0) await keep(tx, kept)
      }),
    clear: () =>
      scope.transaction(async tx => {
        await fence(tx)
        await tx.sql.delete(whatsappKeys).where(of(place))
      }),
  }
}

const of = ({ companyId, whatsappId }: Place) =>
  and(eq(whatsappKeys.companyId, companyId), eq(whatsappKeys.whatsappId, whatsappId))

const select = (tx: Tx, place: Place, type: string, narrowed?: SQL) =>
  tx.sql
    .select({ id: whatsappKeys.id, value: whatsappKeys.value })
    .from(whatsappKeys)
    .where(and(of(place), eq(whatsappKeys.type, type), narrowed))

const remove = (tx: Tx, place: Place, type: string, ids: ExternalId[]) =>
  tx.sql
    .delete(whatsappKeys)
    .where(and(of(place), eq(whatsappKeys.type, type), inArray(whatsappKeys.id, ids)))

const keep = (tx: Tx, rows: (typeof whatsappKeys.$inferInsert)[]) =>
  tx.sql
    .insert(whatsappKeys)
    .values(rows)
    .onConflictDoUpdate({
      target: [whatsappKeys.companyId, whatsappKeys.whatsappId, whatsappKeys.type, whatsappKeys.id],
      set: { value: tag`excluded.value` },
    })
