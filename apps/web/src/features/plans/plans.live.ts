import { planChannel } from '@balcao/contract/plans.ts'
import { followList } from '../../platform/lists.ts'
import { PLANS } from './plans.keys.ts'

/** Changes of plans: the own company's, or those of one that a master has open. */
export const followPlans = (companyId?: number) =>
  companyId === undefined
    ? followList(planChannel, PLANS)
    : followList({ ...planChannel, name: `plan-${companyId}` }, PLANS)
