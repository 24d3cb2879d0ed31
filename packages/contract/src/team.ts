import { z } from 'zod'
import { Availability } from './availability.ts'
import { instant, localeTag, oneOf, route } from './kit.ts'
import { ReportFilter } from './reports.ts'

/** A colleague on the board of the team; the figures are for who may see the whole team. */
export const TeamMember = Availability.extend({
  queueIds: z.array(z.int()),
  /** Open conversations. */
  open: z.int().optional(),
  /** Those of them in which the customer waits for an answer, and since when the first of them does. */
  waiting: z.int().optional(),
  waitingSince: instant.nullable().optional(),
  /** Closed since midnight by the company's clock. */
  resolvedToday: z.int().optional(),
})
export type TeamMember = z.infer<typeof TeamMember>

/** The pauses of one user for one reason in a range; what reaches beyond it counts with its part in it. */
export const PauseSum = z.object({
  userId: z.int(),
  user: z.string(),
  /** Null for pauses without a reason. */
  reasonId: z.int().nullable(),
  reason: z.string(),
  count: z.int(),
  seconds: z.int(),
  longestSeconds: z.int(),
})
export type PauseSum = z.infer<typeof PauseSum>

/** How long a user was available and on pauses in a range. */
export const PresenceSum = z.object({
  userId: z.int(),
  user: z.string(),
  availableSeconds: z.int(),
  pauses: z.int(),
  pauseSeconds: z.int(),
})
export type PresenceSum = z.infer<typeof PresenceSum>

const PausesFilter = ReportFilter.pick({ initialDate: true, finalDate: true, selectedUserIds: true })

export const team = {
  board: route('GET', '/users/availability', {
    needs: 'session',
    summary:
      'Who is available, on a pause or away, and since when. With figures and everybody by the right `team`; others see the colleagues of their queues.',
    reply: z.object({ users: z.array(TeamMember) }),
  }),
  pauses: route('GET', '/report/pauses', {
    needs: 'team',
    summary:
      'Pauses by user and reason in a range of at most five years by the company’s clock: how many and how long, and how long each user was available.',
    query: PausesFilter,
    reply: z.object({ pauses: z.array(PauseSum), users: z.array(PresenceSum) }),
  }),
  exportPauses: route('GET', '/report/pauses/export', {
    needs: 'team',
    summary: 'The same as a file, fetched at the address that is answered.',
    query: PausesFilter.extend({ format: oneOf(['xlsx', 'csv']), language: localeTag.optional() }),
    reply: z.object({ url: z.string() }),
    limit: { counts: 'calls', caller: 10 },
  }),
}
