import { planChannel } from '@balcao/contract/plans.ts'
import { followList } from '../../platform/lists.ts'
import { PLANS } from './plans.keys.ts'

/** Plans as they change: the own company's, or those of one that a master looks at. */
export const followPlans = (companyId?: number) =>
  companyId === undefined
    ? followList(planChannel, PLANS)
    : followList({ ...planChannel, name: `plan-${companyId}` }, PLANS)
