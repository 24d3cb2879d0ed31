import { type VisitInput, visits } from '@balcao/contract/visits.ts'
import { call } from '../../platform/call.ts'
import { pagedList } from '../../platform/lists.ts'
import { visiting } from '../../platform/visit.ts'

export const visitList = (companyId: number) => pagedList(visits.list, 'visits', { companyId })

/** Starts a visit of the company. Throws ApiError. */
export async function startVisit(companyId: number, body: VisitInput): Promise<void> {
  visiting.begin(await call(visits.start, { params: { companyId }, body }))
}
