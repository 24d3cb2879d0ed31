import { locations } from '@balcao/contract/locations.ts'
import { serve } from '../../platform/http/routes.ts'
import { addLocation, changeLocation, removeLocation } from './locations.actions.ts'
import { findLocation, listLocations } from './locations.queries.ts'
import { findAddresses } from './locations.search.client.ts'

export const routes = [
  serve(locations.list, (scope, { query }) => scope.list(tx => listLocations(tx, query))),
  serve(locations.search, async (_scope, { query }, { platform }) => ({
    addresses: await findAddresses(platform, query),
  })),
  serve(locations.show, (scope, { params }) => scope.read(tx => findLocation(tx, params.locationId))),
  serve(locations.create, (scope, { body }) => addLocation(scope, body)),
  serve(locations.change, (scope, { params, body }) => changeLocation(scope, params.locationId, body)),
  serve(locations.remove, async (scope, { params }) => {
    await removeLocation(scope, params.locationId)
    return {}
  }),
]
