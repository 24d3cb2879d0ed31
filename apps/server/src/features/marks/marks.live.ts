import { markChannel } from '@balcao/contract/marks.ts'
import { oneUser, publish } from '../../platform/live/live.ts'
import { markRemoved, newsChanged, ticketMarked } from '../tickets/marks/marks.events.ts'

export const live = [
  publish(ticketMarked, (companyId, { userId, ticket }, push) =>
    push(markChannel, oneUser(companyId, userId), { ticket }),
  ),
  publish(markRemoved, (companyId, { userId, ticketId }, push) =>
    push(markChannel, oneUser(companyId, userId), { removed: ticketId }),
  ),
  publish(newsChanged, (companyId, { userId, ticketId }, push) =>
    push(markChannel, oneUser(companyId, userId), { news: ticketId }),
  ),
]
