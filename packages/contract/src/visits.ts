import { z } from 'zod'
import { channel, id, instant, oneOf, page, pageQuery, route, text } from './kit.ts'
import { User } from './users.ts'

/** Maximum length of a visit in minutes; then a new one with a new reason is required. */
export const VISIT_MINUTES = [15, 30, 60] as const

/** What of a company a visitor looked at. */
export const VisitSubject = z.enum([
  'tickets',
  'conversation',
  'file',
  'contacts',
  'contact',
  'board',
  'people',
  'queues',
  'connections',
  'texts',
  'schedules',
  'bots',
  'figures',
  'company',
])
export type VisitSubject = z.infer<typeof VisitSubject>

/** A read of a company's data by the operator: who, why, from when to when, and what. */
export const OperatorVisit = z.object({
  id: z.string(),
  companyId: z.int(),
  visitorName: z.string(),
  visitorEmail: z.string(),
  reason: z.string(),
  startedAt: instant,
  /** When it ends by itself. */
  endsAt: instant,
  /** When it was ended manually; null: it was not. */
  endedAt: instant.nullable(),
  /** The newest first; a conversation and a file by their ticket, a contact by its id. */
  looks: z.array(
    z.object({ subject: VisitSubject, subjectId: z.int().nullable(), times: z.int(), lastAt: instant }),
  ),
})
export type OperatorVisit = z.infer<typeof OperatorVisit>

export const VisitInput = z.object({ reason: text(5, 300), minutes: oneOf(VISIT_MINUTES) })
export type VisitInput = z.infer<typeof VisitInput>

const companyId = z.object({ companyId: id })

export const visits = {
  start: route('POST', '/company/:companyId/visits', {
    needs: 'master',
    summary:
      'Lets a master look into a company as its admins see it, without changing anything, for some minutes. Its admins read who came, why, and what was looked at. Answers the token of the visit.',
    params: companyId,
    body: VisitInput,
    reply: z.object({ token: z.string(), user: User, visit: OperatorVisit }),
    limit: { counts: 'calls', caller: 30 },
  }),
  end: route('DELETE', '/company/:companyId/visits/:visitId', {
    needs: 'master',
    summary: 'Ends a visit before its time.',
    params: companyId.extend({ visitId: z.uuid() }),
    reply: OperatorVisit,
  }),
  list: route('GET', '/company/:companyId/visits', {
    needs: 'admin',
    summary: 'Visits to a company, the newest first: of the own one for its admins, of any for masters.',
    params: companyId,
    query: pageQuery.pick({ pageNumber: true }),
    reply: page('visits', OperatorVisit),
  }),
}

export const visitChannel = channel(
  'visit-{companyId}',
  z.object({ action: z.literal('update'), visit: OperatorVisit }),
)
