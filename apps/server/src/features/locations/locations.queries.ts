import type { PageQuery } from '@balcao/contract/kit.ts'
import type { Location } from '@balcao/contract/locations.ts'
import { refuse } from '../../platform/errors.ts'
import { containing, onePage } from '../../platform/lists.ts'
import type { Tx } from '../../platform/scope.ts'
import { and, eq, sql as tag } from '../../platform/sql.ts'
import { locations } from './locations.table.ts'

/** Places of the company by name, 20 a page; the deleted ones are not among them. */
export async function listLocations(tx: Tx, asked: PageQuery) {
  const found = tx.sql
    .select()
    .from(locations)
    .where(
      and(
        eq(locations.companyId, tx.companyId),
        eq(locations.isDeleted, false),
        containing(asked.searchParam, locations.name),
      ),
    )
    .orderBy(tag`lower(${locations.name})`, locations.id)
  const { rows, hasMore } = await onePage(asked, (limit, offset) => found.limit(limit).offset(offset))
  return { locations: rows, hasMore }
}

/** A place that was not deleted. Refuses with ERR_NOT_FOUND. */
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
