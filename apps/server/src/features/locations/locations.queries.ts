import type { PageQuery } from '@balcao/contract/kit.ts'
import type { Location } from '@balcao/contract/locations.ts'
import { databaseTime } from '../../platform/clock.ts'
import { refuse } from '../../platform/errors.ts'
import { containing, onePage } from '../../platform/lists/lists.ts'
import { and, eq, sql as tag } from '../../platform/postgres/sql.ts'
import type { Tx } from '../../platform/scope.ts'
import { locations } from './locations.table.ts'

export async function listLocations(tx: Tx, query: PageQuery) {
  const found = tx.sql
    .select()
    .from(locations)
    .where(
      and(
        eq(locations.companyId, tx.companyId),
        eq(locations.isDeleted, false),
        containing(query.searchParam, locations.name),
      ),
    )
    .orderBy(tag`folded(${locations.name})`, locations.id)
  const { rows, hasMore } = await onePage(query, (limit, offset) => found.limit(limit).offset(offset))
  return { locations: rows, hasMore }
}

/** A location that is not deleted. Refuses with ERR_NOT_FOUND. */
export async function findLocation(tx: Tx, locationId: number): Promise<Location> {
  const [row] = await tx.sql
    .select()
    .from(locations)
    .where(
      and(
        eq(locations.companyId, tx.companyId),
        eq(locations.id, locationId),
        eq(locations.isDeleted, false),
      ),
    )
  return row ?? refuse('ERR_NOT_FOUND', { field: 'locationId' })
}

export async function insertLocation(
  tx: Tx,
  fields: Omit<typeof locations.$inferInsert, 'companyId'>,
): Promise<number> {
  const [row] = await tx.sql
    .insert(locations)
    .values({ ...fields, companyId: tx.companyId })
    .returning({ id: locations.id })
  return row!.id
}

export const updateLocation = (tx: Tx, locationId: number, fields: object) =>
  tx.sql
    .update(locations)
    .set({ ...fields, updatedAt: databaseTime() })
    .where(and(eq(locations.companyId, tx.companyId), eq(locations.id, locationId)))
