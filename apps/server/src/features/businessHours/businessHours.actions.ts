import type { BusinessHours } from '@balcao/contract/businessHours.ts'
import { type Scope, viewerOf } from '../../platform/scope.ts'
import { hoursOf, writeHours } from './businessHours.queries.ts'

export const saveHours = (scope: Scope, input: BusinessHours): Promise<BusinessHours> =>
  scope.transaction(async tx => {
    await writeHours(tx, input)
    tx.note('the hours of the company were changed', { userId: viewerOf(scope).id })
    return hoursOf(tx)
  })
