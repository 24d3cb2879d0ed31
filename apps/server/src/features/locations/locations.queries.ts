import { PAGE } from '@balcao/contract/kit.ts'
import type { Location } from '@balcao/contract/locations.ts'
import { refuse } from '../../platform/errors.ts'
import type { Tx } from '../../platform/scope.ts'
import { and, eq, sql as tag } from '../../platform/sql.ts'
import { locations } from './locations.table.ts'

/** Places of the company by name, 20 a page; the deleted ones are not among them. */
export async function selectLocations(
  tx: Tx,
  { searchParam = '', pageNumber = 1 }: { searchParam?: string; pageNumber?: number },
): Promise<{ locations: Location[]; hasMore: boolean }> {
  const words = searchParam.trim().toLowerCase()
  const rows = await tx.sql
    .select()
    .from(locations)
    .where(
      and(
        eq(locations.companyId, tx.companyId),
        eq(locations.isDeleted, false),
        words ? tag`position(${words} in lower(${locations.name})) > 0` : undefined,
      ),
    )
    .orderBy(tag`lower(${locations.name})`, locations.id)
    .offset((pageNumber - 1) * PAGE)
    .limit(PAGE + 1)
  return { locations: rows.slice(0, PAGE), hasMore: rows.length > PAGE }
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
