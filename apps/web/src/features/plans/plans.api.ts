import { type PlanChanges, type PlanInput, plans } from '@balcao/contract/plans.ts'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../platform/call.ts'
import { oneRow, pagedList } from '../../platform/lists.ts'
import { askAgain } from '../../platform/query.ts'
import { PLANS } from './plans.keys.ts'

export const planList = pagedList(plans.list, 'plans')

export const onePlan = oneRow('plans', planId => call(plans.show, { params: { planId } }))

/** The plan of a company, in a list that may be empty. */
export const companyPlan = (companyId: number) =>
  queryOptions({
    queryKey: [...PLANS, 'company', companyId],
    queryFn: () => call(plans.ofCompany, { params: { companyId } }),
    staleTime: 0,
  })

/** What may be assigned to any company. */
export const offeredPlans = queryOptions({
  queryKey: [...PLANS, 'offered'],
  queryFn: () => call(plans.public).then(({ plans: offered }) => offered),
  staleTime: 0,
})

/** Adds a plan to the platform, or changes one. Throws ApiError. */
export async function savePlan(planId: number | null, body: PlanInput & PlanChanges): Promise<void> {
  await (planId === null ? call(plans.create, { body }) : call(plans.change, { params: { planId }, body }))
  await askAgain({ queryKey: PLANS })
}

/** Throws ApiError. */
export async function removePlan(planId: number): Promise<void> {
  await call(plans.remove, { params: { planId } })
  await askAgain({ queryKey: PLANS })
}

/** Copies an offered plan to a company. Throws ApiError. */
export async function assignPlan(companyId: number, planId: number): Promise<void> {
  await call(plans.assign, { params: { companyId, planId } })
  await askAgain({ queryKey: PLANS })
}
