import { type BulkInput, type BulkOutcome, bulk } from '@balcao/contract/bulk.ts'
import { call } from '../../platform/call.ts'

type Without<T> = T extends unknown ? Omit<T, 'ids'> : never
/** What is done with several tickets. */
export type BulkChange = Without<BulkInput>

/** Throws ApiError. */
export const changeMany = (ids: number[], many: BulkChange): Promise<BulkOutcome> =>
  call(bulk.change, { body: { ...many, ids } as BulkInput })
