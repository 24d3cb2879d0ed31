import type { Location, LocationInput } from '@balcao/contract/locations.ts'
import type { z } from 'zod'
import type { Scope } from '../../platform/scope.ts'
import { findLocation, insertLocation, updateLocation } from './locations.queries.ts'

type Input = z.output<typeof LocationInput>

export const addLocation = (scope: Scope, input: Input): Promise<Location> =>
  scope.transaction(async tx => findLocation(tx, await insertLocation(tx, input)))

/** Refuses with ERR_NOT_FOUND. */
export const changeLocation = (
  scope: Scope,
  locationId: number,
  input: { [Field in keyof Input]?: Input[Field] | undefined },
): Promise<Location> =>
  scope.transaction(async tx => {
    await findLocation(tx, locationId)
    await updateLocation(tx, locationId, input)
    return findLocation(tx, locationId)
  })

/** Deletes a location; messages keep its coordinates (OP-106). Refuses with ERR_NOT_FOUND. */
export const removeLocation = (scope: Scope, locationId: number) =>
  scope.transaction(async tx => {
    await findLocation(tx, locationId)
    await updateLocation(tx, locationId, { isDeleted: true })
  })
