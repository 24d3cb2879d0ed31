import type { BusinessHours } from '@balcao/contract/businessHours.ts'
import { type Scope, viewerOf } from '../../platform/scope.ts'
import { hoursOf, writeHours } from './businessHours.queries.ts'

/** Says when the company is open, all of it anew: for what is closed from now on. */
export const sayHours = (scope: Scope, said: BusinessHours): Promise<BusinessHours> =>
  scope.transaction(async tx => {
    await writeHours(tx, said)
    tx.note('the hours of the company were changed', { userId: viewerOf(scope).id })
    return hoursOf(tx)
  })
