import type { KeyRows } from '../../driver.ts'
import type { Platform } from '../../platform/app.ts'
import { and, eq, inArray, sql as tag } from '../../platform/postgres/sql.ts'
import type { Fence } from './connections.leases.queries.ts'
import { whatsappKeys } from './connections.table.ts'

/** The key rows of one connection; values are encrypted in the database. */
export function keyRows(
  { scopes, secrets }: Platform,
  companyId: number,
  whatsappId: number,
  fence: Fence,
): KeyRows {
  const scope = scopes.promised(companyId)
  const own = and(eq(whatsappKeys.companyId, companyId), eq(whatsappKeys.whatsappId, whatsappId))
  const opened = (rows: { id: string; value: string }[]) =>
    new Map(rows.map(row => [row.id, secrets.open(companyId, row.value)]))
  const fields = { id: whatsappKeys.id, value: whatsappKeys.value }
  return {
    read: (type, ids) =>
      scope.transaction(async tx =>
        opened(
          await tx.sql
            .select(fields)
            .from(whatsappKeys)
            .where(and(own, eq(whatsappKeys.type, type), inArray(whatsappKeys.id, ids))),
        ),
      ),
    readAll: type =>
      scope.transaction(async tx =>
        opened(
          await tx.sql
            .select(fields)
            .from(whatsappKeys)
            .where(and(own, eq(whatsappKeys.type, type))),
        ),
      ),
    write: rows =>
      scope.transaction(async tx => {
        await fence(tx)
        const kept = rows.flatMap(({ type, id, value }) =>
          value === null ? [] : [{ companyId, whatsappId, type, id, value: secrets.seal(companyId, value) }],
        )
        for (const [type, removed] of Map.groupBy(
          rows.filter(row => row.value === null),
          row => row.type,
        ))
          await tx.sql.delete(whatsappKeys).where(
            and(
              own,
              eq(whatsappKeys.type, type),
              inArray(
                whatsappKeys.id,
                removed.map(row => row.id),
              ),
            ),
          )
        if (kept.length > 0)
          await tx.sql
            .insert(whatsappKeys)
            .values(kept)
            .onConflictDoUpdate({
              target: [whatsappKeys.companyId, whatsappKeys.whatsappId, whatsappKeys.type, whatsappKeys.id],
              set: { value: tag`excluded.value` },
            })
      }),
    clear: () =>
      scope.transaction(async tx => {
        await fence(tx)
        await tx.sql.delete(whatsappKeys).where(own)
      }),
  }
}
