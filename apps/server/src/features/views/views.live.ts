import { viewChannel } from '@balcao/contract/views.ts'
import { everyone, oneUser, publish } from '../../platform/live/live.ts'
import { viewChanged } from './views.events.ts'

/** Each user fetches: whose view it is, and how many it counts, differs from one to the next. */
export const live = [
  publish(viewChanged, (companyId, { viewId, userId }, push) =>
    push(viewChannel, userId === null ? everyone(companyId) : oneUser(companyId, userId), { viewId }),
  ),
]
