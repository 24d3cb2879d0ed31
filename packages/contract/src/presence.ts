import { z } from 'zod'
import { channel, id, route } from './kit.ts'

/** What a colleague does with a ticket; of several screens of one user the last of these counts. */
export const TicketDoing = z.enum(['looking', 'noting', 'writing'])
export type TicketDoing = z.infer<typeof TicketDoing>

/** So many tickets one screen follows at most: a little more than the rows that fit on it. */
export const MAX_PRESENCES = 100

/** How often (s) a screen reports what it shows: it counts for little longer. */
export const REPORTED_EVERY = 3

/** Event of a socket: what its screen does with one ticket; null: with none any more. */
export const PRESENT = 'present'
export const Present = z.object({ ticketId: id, doing: TicketDoing }).nullable()

/** Event of a socket: the tickets that its screen shows. It is pushed the presence of these alone; without it, of all. */
export const FOLLOW_PRESENCE = 'followPresence'
export const Followed = z.array(id).max(MAX_PRESENCES)

/** Who looks at a ticket and who writes in it, as a whole, to those who may read the ticket. The reader is among them. */
export const TicketPresence = z.object({
  ticketId: z.int(),
  users: z.array(z.object({ id: z.int(), name: z.string(), doing: TicketDoing })),
})
export type TicketPresence = z.infer<typeof TicketPresence>

export const presence = {
  report: route('POST', '/tickets/:ticketId/presence', {
    needs: 'session',
    summary:
      'Shows colleagues for some seconds that the caller looks at a ticket, or writes in it; answers who does. Screens report it over their socket (`present`).',
    params: z.object({ ticketId: id }),
    body: z.object({ doing: TicketDoing }),
    reply: TicketPresence,
    limit: { counts: 'calls', caller: 240 },
  }),
}

/** A push may be lost: whoever goes away is gone after some seconds, and a screen that comes back receives all of it anew. */
export const presenceChannel = channel('presence-{companyId}', TicketPresence)
