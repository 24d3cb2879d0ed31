import type { CampaignCall } from '@balcao/contract/campaignSetups.ts'
import type { CampaignDispatch } from '@balcao/contract/campaignShapes.ts'
import { LONG_PAGE, type PageQuery } from '@balcao/contract/kit.ts'
import { containingNumber, onePage } from '../../../platform/lists/lists.ts'
import { claimIn, dueOfEach, settleIn } from '../../../platform/outbound/webhook-deliveries.ts'
import type { Sql } from '../../../platform/postgres/db.ts'
import {
  and,
  asc,
  desc,
  eq,
  inArray,
  isNotNull,
  type SQL,
  sql as tag,
} from '../../../platform/postgres/sql.ts'
import type { Tx } from '../../../platform/scope.ts'
import type { LeasedValues } from '../../../platform/work/leases.ts'
import { zoneOf } from '../../companies/companies.queries.ts'
import { dispatchColumns } from '../campaigns.queries.ts'
import { campaignCalls, campaignDispatches, campaigns } from '../campaigns.table.ts'

interface Asked extends PageQuery {
  status?: CampaignDispatch['status'] | 'answered' | 'optedOut' | '' | undefined
}

/** One page of recipients, in order. The columns are read for the rows of the page alone. */
export async function listDispatches(tx: Tx, campaignId: number, { status, ...asked }: Asked) {
  const order = [asc(campaignDispatches.position), asc(campaignDispatches.id)]
  const found = tx.sql
    .select({ id: campaignDispatches.id })
    .from(campaignDispatches)
    .where(
      and(
        eq(campaignDispatches.companyId, tx.companyId),
        eq(campaignDispatches.campaignId, campaignId),
        narrowed(status),
        containingNumber(asked.searchParam, campaignDispatches.number, campaignDispatches.name),
      ),
    )
    .orderBy(...order)
  const page = (limit: number, offset: number) =>
    tx.sql
      .select(dispatchColumns)
      .from(campaignDispatches)
      .where(
        and(
          eq(campaignDispatches.companyId, tx.companyId),
          inArray(campaignDispatches.id, found.limit(limit).offset(offset)),
        ),
      )
      .orderBy(...order)
  return onePage<CampaignDispatch>(asked, page, LONG_PAGE)
}

function narrowed(status: Asked['status']): SQL | undefined {
  if (!status) return undefined
  if (status === 'answered') return isNotNull(campaignDispatches.answeredAt)
  return status === 'optedOut' ? eq(campaignDispatches.optedOut, true) : eq(campaignDispatches.status, status)
}

/** Failed recipients by reason. */
export const countFailures = (tx: Tx, campaignId: number) =>
  tx.sql
    .select({ reason: campaignDispatches.reason, count: tag<number>`count(*)::int` })
    .from(campaignDispatches)
    .where(
      and(
        eq(campaignDispatches.companyId, tx.companyId),
        eq(campaignDispatches.campaignId, campaignId),
        eq(campaignDispatches.status, 'sentFail'),
      ),
    )
    .groupBy(campaignDispatches.reason)
    .orderBy(tag`count(*) desc`, campaignDispatches.reason)

/** Recipients by the button that they chose. */
export const countButtons = (tx: Tx, campaignId: number) =>
  tx.sql
    .select({ button: tag<string>`${campaignDispatches.answerButton}`, count: tag<number>`count(*)::int` })
    .from(campaignDispatches)
    .where(
      and(
        eq(campaignDispatches.companyId, tx.companyId),
        eq(campaignDispatches.campaignId, campaignId),
        isNotNull(campaignDispatches.answerButton),
      ),
    )
    .groupBy(campaignDispatches.answerButton)
    .orderBy(tag`count(*) desc`, campaignDispatches.answerButton)

/** The campaign that a ticket answers; null when it answers none. */
export async function campaignOfTicket(tx: Tx, ticketId: number) {
  const [row] = await tx.sql
    .select({ id: campaigns.id, name: campaigns.name })
    .from(campaignDispatches)
    .innerJoin(
      campaigns,
      and(
        eq(campaigns.companyId, campaignDispatches.companyId),
        eq(campaigns.id, campaignDispatches.campaignId),
      ),
    )
    .where(
      and(eq(campaignDispatches.companyId, tx.companyId), eq(campaignDispatches.answerTicketId, ticketId)),
    )
    .orderBy(desc(campaignDispatches.id))
    .limit(1)
  return row ?? null
}

/** A local time as spreadsheets count it: days since 1899-12-30. */
const asDays = (tx: Tx, at: typeof campaignDispatches.messageSendAt | typeof campaignDispatches.answeredAt) =>
  tag<
    number | null
  >`(extract(epoch from (${at} at time zone ${zoneOf(tx)}) - timestamp '1899-12-30') / 86400)::float8`

/** Recipients after a position (keyset pagination). */
export const dispatchesBehind = (
  tx: Tx,
  campaignId: number,
  { position, id }: { position: number; id: number },
  limit: number,
) =>
  tx.sql
    .select({
      id: campaignDispatches.id,
      position: campaignDispatches.position,
      name: campaignDispatches.name,
      number: campaignDispatches.number,
      status: campaignDispatches.status,
      greeting: campaignDispatches.greeting,
      message: campaignDispatches.message,
      sentAt: asDays(tx, campaignDispatches.messageSendAt),
      answeredAt: asDays(tx, campaignDispatches.answeredAt),
      answerButton: campaignDispatches.answerButton,
      ack: campaignDispatches.ack,
      optedOut: campaignDispatches.optedOut,
      reason: campaignDispatches.reason,
    })
    .from(campaignDispatches)
    .where(
      and(
        eq(campaignDispatches.companyId, tx.companyId),
        eq(campaignDispatches.campaignId, campaignId),
        tag`(${campaignDispatches.position}, ${campaignDispatches.id}) > (${position}::int, ${id}::int)`,
      ),
    )
    .orderBy(asc(campaignDispatches.position), asc(campaignDispatches.id))
    .limit(limit)

/** Webhook calls of all companies that are due. */
export const conclusionsDue = (sql: Sql) => dueOfEach(sql, campaignCalls, campaignCalls.setupId)

/** See `claimIn`. */
export const claimConclusion = (tx: Tx, id: string) => claimIn(tx, campaignCalls, id)

/** See `settleIn`. */
export const settleConclusion = (
  tx: Tx,
  id: string,
  values: LeasedValues<typeof campaignCalls>,
  until?: string,
) => settleIn(tx, campaignCalls, id, values, until)

const callColumns = {
  id: campaignCalls.id,
  campaignId: campaignCalls.campaignId,
  url: campaignCalls.url,
  state: campaignCalls.state,
  attempts: campaignCalls.attempts,
  dueAt: campaignCalls.dueAt,
  status: campaignCalls.status,
  error: campaignCalls.error,
  createdAt: campaignCalls.createdAt,
  triedAt: campaignCalls.triedAt,
}

/** Null when there is none. */
export async function findConclusion(tx: Tx, id: string): Promise<CampaignCall | null> {
  const [row] = await tx.sql
    .select(callColumns)
    .from(campaignCalls)
    .where(and(eq(campaignCalls.companyId, tx.companyId), eq(campaignCalls.id, id)))
  return row ?? null
}

/** One page of a campaign's calls, the newest first. */
export async function listConclusions(tx: Tx, campaignId: number, asked: PageQuery) {
  const found = tx.sql
    .select(callColumns)
    .from(campaignCalls)
    .where(and(eq(campaignCalls.companyId, tx.companyId), eq(campaignCalls.campaignId, campaignId)))
    .orderBy(desc(campaignCalls.createdAt), desc(campaignCalls.id))
  const { rows, hasMore } = await onePage(asked, (limit, offset) => found.limit(limit).offset(offset))
  return { calls: rows, hasMore }
}

/** Status of each recipient that was tried, with the documents' field names. */
export const listOutcomes = (tx: Tx, campaignId: number) =>
  tx.sql
    .select({
      number: campaignDispatches.number,
      name: campaignDispatches.name,
      status: campaignDispatches.status,
    })
    .from(campaignDispatches)
    .where(
      and(
        eq(campaignDispatches.companyId, tx.companyId),
        eq(campaignDispatches.campaignId, campaignId),
        inArray(campaignDispatches.status, ['sent', 'sentFail']),
      ),
    )
    .orderBy(asc(campaignDispatches.position), asc(campaignDispatches.id))

/** The same call twice is written once. */
export const insertConclusion = (tx: Tx, call: Omit<typeof campaignCalls.$inferInsert, 'companyId'>) =>
  tx.sql
    .insert(campaignCalls)
    .values({ ...call, companyId: tx.companyId })
    .onConflictDoNothing()
