import type { BusinessHours } from '@balcao/contract/businessHours.ts'
import { type Scope, viewerOf } from '../../platform/scope.ts'
import { hoursChanged } from './businessHours.events.ts'
import { hoursOf, writeHours } from './businessHours.queries.ts'

export const saveHours = (scope: Scope, input: BusinessHours): Promise<BusinessHours> =>
  scope.transaction(async tx => {
    await writeHours(tx, input)
    await tx.involve(hoursChanged, { queueId: null })
    tx.note('the hours of the company were changed', { userId: viewerOf(scope).id })
    return hoursOf(tx)
  })
