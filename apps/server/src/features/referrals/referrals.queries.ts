import type { Referral } from '@balcao/contract/media.ts'
import type { Message } from '@balcao/contract/messages.ts'
import { referralKey } from '@balcao/contract/referrals.rules.ts'
import { MAX_REFERRAL_SOURCES, type ReferralSource, type ReferredTicket } from '@balcao/contract/referrals.ts'
import { onePage } from '../../platform/lists/lists.ts'
import { and, desc, eq, gte, inArray, lte, sql as tag } from '../../platform/postgres/sql.ts'
import type { Tx } from '../../platform/scope.ts'
import { contacts } from '../contacts/contacts.table.ts'
import { queues } from '../queues/queues.table.ts'
import type { ReportRange } from '../reports/reports.range.queries.ts'
import { tickets } from '../tickets/tickets.table.ts'
import { users } from '../users/users.table.ts'
import { ticketReferrals as referred } from './referrals.table.ts'

/** The ticket came from there; the first message counts. */
export async function keepReferral(
  tx: Tx,
  { ticketId, createdAt: at }: Message,
  referral: Referral,
): Promise<void> {
  const { type, sourceId, sourceUrl, headline } = referral
  const row = { companyId: tx.companyId, ticketId, key: referralKey(referral), type, sourceId, sourceUrl }
  await tx.sql
    .insert(referred)
    .values({ ...row, headline, at })
    .onConflictDoNothing()
}

/** The sources of a range, those with most tickets first. */
export const sourcesIn = (tx: Tx, range: ReportRange): Promise<ReferralSource[]> =>
  tx.sql
    .select({
      key: referred.key,
      type: referred.type,
      sourceId: tag<string>`max(${referred.sourceId})`,
      sourceUrl: latest(referred.sourceUrl),
      headline: latest(referred.headline),
      tickets: tag<number>`count(*)::int`,
      pending: counted('pending'),
      open: counted('open'),
      closed: counted('closed'),
    })
    .from(referred)
    .innerJoin(tickets, ofTicket)
    .where(cameIn(tx, range))
    .groupBy(referred.key, referred.type)
    .orderBy(desc(tag`count(*)`), referred.key)
    .limit(MAX_REFERRAL_SOURCES)

/** One page of the tickets of a source, newest first. */
export async function referredTickets(
  tx: Tx,
  range: ReportRange,
  {
    key,
    status,
    pageNumber,
  }: { key: string; status?: ReferredTicket['status'] | undefined; pageNumber?: number | undefined },
): Promise<{ tickets: ReferredTicket[]; hasMore: boolean }> {
  const found = tx.sql
    .select({
      id: tickets.id,
      protocol: tickets.protocol,
      status: tickets.status,
      contact: contacts.name,
      user: tag<string>`coalesce(${users.name}, '')`,
      queue: tag<string>`coalesce(${queues.name}, '')`,
      at: referred.at,
    })
    .from(referred)
    .innerJoin(tickets, ofTicket)
    .innerJoin(contacts, and(eq(contacts.companyId, tickets.companyId), eq(contacts.id, tickets.contactId)))
    .leftJoin(users, and(eq(users.companyId, tickets.companyId), eq(users.id, tickets.userId)))
    .leftJoin(queues, and(eq(queues.companyId, tickets.companyId), eq(queues.id, tickets.queueId)))
    .where(and(cameIn(tx, range), eq(referred.key, key), status && eq(tickets.status, status)))
    .orderBy(desc(referred.at), desc(tickets.id))
  const { rows, hasMore } = await onePage({ pageNumber }, (limit, offset) =>
    found.limit(limit).offset(offset),
  )
  return { tickets: rows, hasMore }
}

const ofTicket = and(eq(tickets.companyId, referred.companyId), eq(tickets.id, referred.ticketId))

const cameIn = (tx: Tx, { from, until, queueIds, userIds }: ReportRange) =>
  and(
    eq(referred.companyId, tx.companyId),
    gte(referred.at, from),
    lte(referred.at, until),
    queueIds.length > 0 ? inArray(tickets.queueId, queueIds) : undefined,
    userIds.length > 0 ? inArray(tickets.userId, userIds) : undefined,
  )

const counted = (status: ReferredTicket['status']) =>
  tag<number>`(count(*) filter (where ${tickets.status} = ${status}))::int`

/** As the last message shows it: an ad may be changed. */
const latest = (column: typeof referred.headline | typeof referred.sourceUrl) =>
  tag<string>`(array_agg(${column} order by ${column} = '', ${referred.at} desc))[1]`
