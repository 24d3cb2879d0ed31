import type { ReportBehind, ReportService } from '@balcao/contract/reports.ts'
import { onePage } from '../../platform/lists/lists.ts'
import { and, desc, eq, gte, inArray, lte, type SQL, sql as tag } from '../../platform/postgres/sql.ts'
import type { Tx } from '../../platform/scope.ts'
import { whatsapps } from '../connections/connections.table.ts'
import { contacts } from '../contacts/contacts.table.ts'
import { queues } from '../queues/queues.table.ts'
import { tickets } from '../tickets/tickets.table.ts'
import { users } from '../users/users.table.ts'
import { phasesOf } from './reports.phases.queries.ts'
import type { ReportRange } from './reports.range.queries.ts'
import { ticketServices as served } from './reports.table.ts'

type Narrowed = Pick<ReportBehind, 'userId' | 'queueId' | 'whatsappId' | 'tagId' | 'reasonId'>

/** One page of what was closed in a range, newest first. */
export async function listServices(
  tx: Tx,
  range: ReportRange,
  narrowed: Narrowed,
  asked: { pageNumber?: number | undefined },
): Promise<{ services: ReportService[]; hasMore: boolean }> {
  const found = selectServices(tx, and(closedIn(tx, range), narrowing(narrowed)))
  const { rows, hasMore } = await onePage(asked, (limit, offset) => found.limit(limit).offset(offset))
  return { services: rows, hasMore }
}

type Reached = Pick<ReportService, 'closedAt' | 'id'>

/** Of the whole range those that stand behind a place in it. */
export const servicesBefore = async (
  tx: Tx,
  range: ReportRange,
  reached: Reached | null,
  limit: number,
): Promise<ReportService[]> =>
  selectServices(
    tx,
    and(
      closedIn(tx, range),
      reached
        ? tag`(${served.closedAt}, ${served.historyId}) < (${reached.closedAt}::timestamptz, ${reached.id}::bigint)`
        : undefined,
    ),
  ).limit(limit)

const none = (name: unknown) => tag<string>`coalesce(${name}, '')`
const phases = tag`(${phasesOf('ticket_services')}) as phases`
const inPhases = (phase: 'wait' | 'serve') =>
  tag<number | null>`phases.${tag.raw(phase)}`.mapWith((seconds: string | number | null) =>
    seconds === null ? null : Number(seconds),
  )
const selectServices = (tx: Tx, which: SQL | undefined) =>
  tx.sql
    .select({
      id: served.historyId,
      ticketId: served.ticketId,
      protocol: tickets.protocol,
      contact: contacts.name,
      user: none(users.name),
      queue: none(queues.name),
      connection: none(whatsapps.name),
      beganAt: served.beganAt,
      closedAt: served.closedAt,
      waitSeconds: inPhases('wait'),
      answerSeconds: served.answerSeconds,
      serveSeconds: inPhases('serve'),
    })
    .from(served)
    .crossJoinLateral(phases)
    .innerJoin(tickets, and(eq(tickets.companyId, served.companyId), eq(tickets.id, served.ticketId)))
    .innerJoin(contacts, and(eq(contacts.companyId, tickets.companyId), eq(contacts.id, tickets.contactId)))
    .leftJoin(users, and(eq(users.companyId, served.companyId), eq(users.id, served.userId)))
    .leftJoin(queues, and(eq(queues.companyId, served.companyId), eq(queues.id, served.queueId)))
    .leftJoin(whatsapps, and(eq(whatsapps.companyId, served.companyId), eq(whatsapps.id, served.whatsappId)))
    .where(and(eq(served.companyId, tx.companyId), which))
    .orderBy(desc(served.closedAt), desc(served.historyId))

/** What was closed in a range, in the hands and queues that are chosen. */
export const closedIn = (tx: Tx, { from, until, queueIds, userIds }: ReportRange) =>
  and(
    eq(served.companyId, tx.companyId),
    gte(served.closedAt, from),
    lte(served.closedAt, until),
    queueIds.length > 0 ? inArray(served.queueId, queueIds) : undefined,
    userIds.length > 0 ? inArray(served.userId, userIds) : undefined,
  )

const narrowing = ({ userId, queueId, whatsappId, tagId, reasonId }: Narrowed) =>
  and(
    userId === undefined ? undefined : eq(served.userId, userId),
    queueId === undefined ? undefined : eq(served.queueId, queueId),
    whatsappId === undefined ? undefined : eq(served.whatsappId, whatsappId),
    tagId === undefined
      ? undefined
      : tag`exists (select from ticket_tags t where t.company_id = ${served.companyId}
          and t.ticket_id = ${served.ticketId} and t.tag_id = ${tagId}::int)`,
    reasonId === undefined
      ? undefined
      : tag`exists (select from ticket_history h where h.company_id = ${served.companyId}
          and h.id = ${served.historyId} and coalesce(h.reason_id, 0) = ${reasonId}::int)`,
  )
