import { z } from 'zod'
import { instant, page, pageNumber, route } from './kit.ts'
import { Referral } from './media.ts'
import { MAX_KEY } from './referrals.rules.ts'
import { ReportFilter } from './reports.ts'
import { TicketStatus } from './tickets.ts'

/** An ad, a post or a product with the tickets that it brought. */
export const ReferralSource = z.object({
  /** Identifies it in `tickets`. */
  key: z.string(),
  ...Referral.pick({ type: true, sourceId: true, sourceUrl: true, headline: true }).shape,
  tickets: z.int(),
  /** Of these, by their present status. */
  pending: z.int(),
  open: z.int(),
  closed: z.int(),
})
export type ReferralSource = z.infer<typeof ReferralSource>

/** Maximum of rows of the report: those that brought most tickets. */
export const MAX_REFERRAL_SOURCES = 200

export const ReferredTicket = z.object({
  id: z.int(),
  protocol: z.string(),
  status: TicketStatus,
  contact: z.string(),
  /** Empty for none, or for what was deleted since. */
  user: z.string(),
  queue: z.string(),
  /** When the first message with this source came. */
  at: instant,
})
export type ReferredTicket = z.infer<typeof ReferredTicket>

export const referrals = {
  list: route('GET', '/report/referrals', {
    needs: 'reports',
    summary: `Which ads, posts and products brought tickets in a range of at most five years: up to ${MAX_REFERRAL_SOURCES}, those with most tickets first. A ticket counts once for each source.`,
    query: ReportFilter,
    reply: z.object({ sources: z.array(ReferralSource) }),
  }),
  tickets: route('GET', '/report/referrals/tickets', {
    needs: 'tickets:showAll',
    summary: 'The tickets behind a figure of that report, newest first, a page at a time.',
    query: ReportFilter.extend({
      key: z.string().max(MAX_KEY),
      status: TicketStatus.optional(),
      pageNumber: pageNumber.optional(),
    }),
    reply: page('tickets', ReferredTicket),
  }),
}
