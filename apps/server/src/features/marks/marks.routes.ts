import { marks } from '@balcao/contract/marks.ts'
import { serve } from '../../platform/http/routes.ts'
import { markTicket, markUnread, seeNews } from '../tickets/marks/marks.actions.ts'
import { snooze } from '../tickets/marks/snooze.actions.ts'

export const routes = [
  serve(marks.snooze, (scope, { params, body }) => snooze(scope, params.ticketId, body.until)),
  serve(marks.follow, (scope, { params, body }) => markTicket(scope, params.ticketId, 'following', body.on)),
  serve(marks.seen, async (scope, { params }) => {
    await seeNews(scope, params.ticketId)
    return {}
  }),
  serve(marks.pin, (scope, { params, body }) => markTicket(scope, params.ticketId, 'pinned', body.on)),
  serve(marks.unread, (scope, { params, body }) => markUnread(scope, params.ticketId, body.on)),
]
