import { z } from 'zod'
import { channel, id, route } from './kit.ts'
import { Ticket } from './tickets.ts'

/** Most tickets that a user pins, and follows. */
export const MAX_PINNED = 100
export const MAX_FOLLOWED = 500

/** The farthest end of a snooze, in days. */
export const MAX_SNOOZE_DAYS = 366

const ticketId = z.object({ ticketId: id })
const OnOff = z.object({ on: z.boolean() })

/** What people put on tickets to order their work. */
export const marks = {
  snooze: route('PUT', '/tickets/:ticketId/snooze', {
    needs: 'session',
    summary:
      'Puts a ticket aside until a moment, or with null brings it back. Until then it is in no list and no count but `snoozed=true`; the customer’s next message, and whoever accepts, moves or resolves it, bring it back at once.',
    params: ticketId,
    body: z.object({ until: z.iso.datetime({ offset: true }).nullable() }),
    reply: Ticket,
  }),
  follow: route('PUT', '/tickets/:ticketId/follow', {
    needs: 'session',
    summary:
      'The caller follows a ticket, or no longer: a notice of each message of the customer, as far as the caller may read it then, and one entry of `GET /tickets?news=true` until it is seen. At most 500.',
    params: ticketId,
    body: OnOff,
    reply: Ticket,
  }),
  seen: route('PUT', '/tickets/:ticketId/seen', {
    needs: 'session',
    summary:
      'The caller saw what is new in a followed ticket: it is not among `news=true` until the customer writes again.',
    params: ticketId,
  }),
  pin: route('PUT', '/tickets/:ticketId/pin', {
    needs: 'session',
    summary: 'The caller pins a ticket to the top of the own lists, or no longer. At most 100.',
    params: ticketId,
    body: OnOff,
    reply: Ticket,
  }),
  unread: route('PUT', '/tickets/:ticketId/unread', {
    needs: 'session',
    summary:
      'Marks a ticket as unread, until its attendant opens it again; `on: false` marks it as read. The customer is not notified of either.',
    params: ticketId,
    body: OnOff,
    reply: Ticket,
  }),
}

/**
 * To one user: a ticket as that user marked it, the id of a marked one that was deleted, or of a followed one in which something
 * is new, or is no longer.
 */
export const markChannel = channel(
  'ticketMark-{companyId}',
  z.union([z.object({ ticket: Ticket }), z.object({ removed: z.int() }), z.object({ news: z.int() })]),
)
