import { z } from 'zod'
import { channel, instant } from './kit.ts'

const Named = z.object({ id: z.int(), name: z.string() })

/** An event of a ticket: shown between the messages of its conversation. */
export const TicketEvent = z.object({
  id: z.int(),
  ticketId: z.int(),
  contactId: z.int(),
  what: z.enum([
    'opened',
    'accepted',
    // given by the server to whose turn it was
    'assigned',
    'returned',
    'transferred',
    'resolved',
    'reopened',
    'moved',
    'undone',
    // put aside for a time; back by it, by the customer's word or by a person
    'snoozed',
    'awoke',
    // a target of its queue was missed, so it moved to another
    'late',
    // a bot escalated it, for that reason or because a machine seems to answer; a person resumed the bot
    'botLeft',
    'botGuarded',
    'botReturned',
  ]),
  at: instant,
  /** The acting user; null without one: the customer wrote, or it closed automatically. */
  by: Named.nullable(),
  /** Its user from then on, and its queue. */
  user: Named.nullable(),
  queue: Named.nullable(),
  /** Why it was closed, where a user gave it: a reason of the company, and words. */
  reason: Named.nullable(),
  note: z.string(),
})
export type TicketEvent = z.infer<typeof TicketEvent>

/** One more line in the history of a ticket. */
export const ticketEventChannel = channel('ticketEvent-{companyId}', TicketEvent)
