import type { Location, LocationInput } from '@balcao/contract/locations.ts'
import type { z } from 'zod'
import type { Scope, Tx } from '../../platform/scope.ts'
import { and, eq } from '../../platform/sql.ts'
import { findLocation } from './locations.queries.ts'
import { locations } from './locations.table.ts'

type Input = z.output<typeof LocationInput>

export const addLocation = (scope: Scope, input: Input): Promise<Location> =>
  scope.transaction(async tx => {
    const [row] = await tx.sql
      .insert(locations)
      .values({ ...input, companyId: tx.companyId })
      .returning({ id: locations.id })
    return findLocation(tx, row!.id)
  })

/** Changes a place. Refuses with ERR_NOT_FOUND. */
export const changeLocation = (
  scope: Scope,
  locationId: number,
  input: { [Field in keyof Input]?: Input[Field] | undefined },
): Promise<Location> =>
  scope.transaction(async tx => {
    await findLocation(tx, locationId)
    await update(tx, locationId, input)
    return findLocation(tx, locationId)
  })

/** Lists show it no more; messages that hold it keep their coordinates (OP-106). Refuses with ERR_NOT_FOUND. */
export const removeLocation = (scope: Scope, locationId: number) =>
  scope.transaction(async tx => {
    await findLocation(tx, locationId)
    await update(tx, locationId, { isDeleted: true })
  })

const update = (tx: Tx, locationId: number, fields: object) =>
  tx.sql
    .update(locations)
    .set({ ...fields, updatedAt: new Date().toISOString() })
    .where(and(eq(locations.companyId, tx.companyId), eq(locations.id, locationId)))
