import { planChannel } from '@balcao/contract/plans.ts'
import { masters, payers, publish } from '../../platform/live/live.ts'
import { planChanged } from './plans.events.ts'

export const live = [
  publish(planChanged, (companyId, news, push) => push(planChannel, [payers(companyId), masters], news)),
]
