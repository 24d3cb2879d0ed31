import type { CampaignCounts } from '@balcao/contract/campaignPeople.ts'
import type { Campaign, CampaignDispatch, CampaignMessage } from '@balcao/contract/campaignShapes.ts'
import { LONG_PAGE, type PageQuery } from '@balcao/contract/kit.ts'
import { refuse } from '../../platform/errors.ts'
import { containing, onePage } from '../../platform/lists.ts'
import type { Tx } from '../../platform/scope.ts'
import { and, asc, desc, eq, inArray, isNotNull, type SQL, sql as tag } from '../../platform/sql.ts'
import { setupsOf } from '../campaignSetups/campaignSetups.queries.ts'
import { tickets } from '../tickets/tickets.table.ts'
import { campaignDispatches, campaignMessages, campaigns } from './campaigns.table.ts'

export type CampaignRow = typeof campaigns.$inferSelect
export type CampaignMessageRow = typeof campaignMessages.$inferSelect
export type DispatchRow = typeof campaignDispatches.$inferSelect

/** One page, the newest first. */
export async function listCampaigns(tx: Tx, asked: PageQuery) {
  const found = tx.sql
    .select()
    .from(campaigns)
    .where(and(eq(campaigns.companyId, tx.companyId), containing(asked.searchParam, campaigns.name)))
    .orderBy(desc(campaigns.id))
  const { rows, hasMore } = await onePage(asked, (limit, offset) => found.limit(limit).offset(offset))
  return { campaigns: await shownCampaigns(tx, rows), hasMore }
}

/** The row as it is stored. Refuses with ERR_NOT_FOUND. */
export const lookAt = async (tx: Tx, campaignId: number): Promise<CampaignRow> =>
  (await lookOrNull(tx, campaignId)) ?? refuse('ERR_NOT_FOUND', { field: 'campaignId' })

/** Null when it is gone. */
export async function lookOrNull(tx: Tx, campaignId: number): Promise<CampaignRow | null> {
  const [row] = await tx.sql.select().from(campaigns).where(own(tx, campaignId))
  return row ?? null
}

/** The same, locked; null when it is gone. */
export async function lockCampaignOrNull(tx: Tx, campaignId: number): Promise<CampaignRow | null> {
  const [row] = await tx.sql.select().from(campaigns).where(own(tx, campaignId)).for('update')
  return row ?? null
}

/** Refuses with ERR_NOT_FOUND. */
export const findCampaign = async (tx: Tx, campaignId: number): Promise<Campaign> =>
  (await shownCampaigns(tx, [await lookAt(tx, campaignId)]))[0]!

/** Campaigns as everybody sees them; two statements however many. */
async function shownCampaigns(tx: Tx, rows: CampaignRow[]): Promise<Campaign[]> {
  if (rows.length === 0) return []
  const setups = await setupsOf(tx, [...new Set(rows.flatMap(({ setupId }) => setupId ?? []))])
  const said = await tx.sql
    .select()
    .from(campaignMessages)
    .where(
      and(
        eq(campaignMessages.companyId, tx.companyId),
        inArray(
          campaignMessages.campaignId,
          rows.map(({ id }) => id),
        ),
      ),
    )
    .orderBy(asc(campaignMessages.campaignId), asc(campaignMessages.place))
  return rows.map(row => ({
    ...row,
    campaignSetupId: row.setupId,
    campaignSetup: setups.get(row.setupId ?? '') ?? null,
    campaignMessages: said.filter(({ campaignId }) => campaignId === row.id).map(shownMessage),
    ...standing(row),
  }))
}

const shownMessage = ({ media, ...row }: CampaignMessageRow): CampaignMessage => ({
  ...row,
  mediaUrlVt: row.mediaUrl,
  mediaName: media?.name ?? '',
})

/** The part of a campaign that changes while it runs. */
export const standing = (row: CampaignRow) => ({
  counts: countsOf(row),
  waits: row.status === 'start' && row.waitReason ? { reason: row.waitReason, until: row.waitsUntil } : null,
})

export const countsOf = (row: CampaignRow): CampaignCounts => {
  const { total, sending, sent, failed, delivered, read, answered, optedOut } = row
  const pending = total - sending - sent - failed
  return { total, pending, sending, sent, failed, delivered, read, answered, optedOut }
}

export async function messagesOf(tx: Tx, campaignId: number): Promise<CampaignMessageRow[]> {
  return tx.sql
    .select()
    .from(campaignMessages)
    .where(and(eq(campaignMessages.companyId, tx.companyId), eq(campaignMessages.campaignId, campaignId)))
    .orderBy(asc(campaignMessages.place))
}

/** A file that some message of a campaign has, which stays while this transaction names it anew. Refuses with ERR_NOT_FOUND. */
export async function fileOfMessage(tx: Tx, address: string) {
  const { mediaUrl, mediaType, media } = campaignMessages
  const [file] = await tx.sql
    .select({ mediaUrl, mediaType, media })
    .from(campaignMessages)
    .where(and(eq(campaignMessages.companyId, tx.companyId), eq(campaignMessages.mediaUrl, address)))
    .limit(1)
    .for('share')
  return file ?? refuse('ERR_NOT_FOUND', { field: 'mediaUrl' })
}

/** Those of these addresses at which a file stands that a campaign sends. */
export async function filesInCampaigns(tx: Tx, addresses: string[]): Promise<string[]> {
  const rows = await tx.sql
    .selectDistinct({ mediaUrl: campaignMessages.mediaUrl })
    .from(campaignMessages)
    .where(and(eq(campaignMessages.companyId, tx.companyId), inArray(campaignMessages.mediaUrl, addresses)))
  return rows.flatMap(row => row.mediaUrl ?? [])
}

/** A ticket that was deleted is not led to. */
const ticketThatIs = tag<number | null>`(select t.id from ${tickets} t
  where t.company_id = ${campaignDispatches}.company_id and t.id = ${campaignDispatches}.ticket_id)`

const shown = {
  id: campaignDispatches.id,
  campaignId: campaignDispatches.campaignId,
  name: campaignDispatches.name,
  number: campaignDispatches.number,
  schedule: campaignDispatches.schedule,
  status: campaignDispatches.status,
  greeting: campaignDispatches.greeting,
  message: campaignDispatches.message,
  mediaUrlVt: campaignDispatches.mediaUrl,
  greetingSendAt: campaignDispatches.greetingSendAt,
  messageSendAt: campaignDispatches.messageSendAt,
  ticketId: ticketThatIs,
  contactId: campaignDispatches.contactId,
  reason: campaignDispatches.reason,
  ack: campaignDispatches.ack,
  answeredAt: campaignDispatches.answeredAt,
  optedOut: campaignDispatches.optedOut,
}

interface Asked extends PageQuery {
  status?: CampaignDispatch['status'] | 'answered' | 'optedOut' | '' | undefined
}

/** One page of a campaign's people, in order. What is shown of them is looked up for the page alone, not on the way there. */
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
        containing(asked.searchParam, campaignDispatches.name, campaignDispatches.number),
      ),
    )
    .orderBy(...order)
  const page = (limit: number, offset: number) =>
    tx.sql
      .select(shown)
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

/** Who stands first in a campaign; null while nobody does. */
export async function firstPerson(tx: Tx, campaignId: number) {
  const { name, values } = campaignDispatches
  const [row] = await tx.sql
    .select({ name, values })
    .from(campaignDispatches)
    .where(and(eq(campaignDispatches.companyId, tx.companyId), eq(campaignDispatches.campaignId, campaignId)))
    .orderBy(asc(campaignDispatches.position))
    .limit(1)
  return row ?? null
}

function narrowed(status: Asked['status']): SQL | undefined {
  if (!status) return undefined
  if (status === 'answered') return isNotNull(campaignDispatches.answeredAt)
  return status === 'optedOut' ? eq(campaignDispatches.optedOut, true) : eq(campaignDispatches.status, status)
}

/** As everybody sees it; null when it is gone. */
export async function shownDispatch(tx: Tx, dispatchId: number): Promise<CampaignDispatch | null> {
  const [row] = await tx.sql.select(shown).from(campaignDispatches).where(itself(tx, dispatchId))
  return row ?? null
}

/** As it is stored, locked; null when it is gone. */
export async function lockDispatch(tx: Tx, dispatchId: number): Promise<DispatchRow | null> {
  const [row] = await tx.sql.select().from(campaignDispatches).where(itself(tx, dispatchId)).for('update')
  return row ?? null
}

export const updateDispatch = (tx: Tx, dispatchId: number, fields: Partial<DispatchRow>) =>
  tx.sql.update(campaignDispatches).set(fields).where(itself(tx, dispatchId))

export const updateCampaign = (tx: Tx, campaignId: number, fields: Partial<typeof campaigns.$inferInsert>) =>
  tx.sql.update(campaigns).set(fields).where(own(tx, campaignId))

type Counter = 'total' | 'sending' | 'sent' | 'failed' | 'delivered' | 'read' | 'answered' | 'optedOut'

/**
 * Counts what changed of a campaign's people, in the transaction that changes them, with what else is known of it now.
 * Answers it as it stands then. Refuses with ERR_NOT_FOUND.
 */
export async function countPeople(
  tx: Tx,
  campaignId: number,
  by: Partial<Record<Counter, number>>,
  known: Partial<typeof campaigns.$inferInsert> = {},
): Promise<CampaignRow> {
  const counted = Object.entries(by).map(([name, more]) => [
    name,
    tag`${campaigns[name as Counter]} + ${more}::int`,
  ])
  const [row] = await tx.sql
    .update(campaigns)
    .set({ ...known, ...Object.fromEntries(counted) })
    .where(own(tx, campaignId))
    .returning()
  return row ?? refuse('ERR_NOT_FOUND', { field: 'campaignId' })
}

/** How many failed, by reason. */
export const failures = (tx: Tx, campaignId: number) =>
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

export const own = (tx: Tx, campaignId: number) =>
  and(eq(campaigns.companyId, tx.companyId), eq(campaigns.id, campaignId))

const itself = (tx: Tx, dispatchId: number) =>
  and(eq(campaignDispatches.companyId, tx.companyId), eq(campaignDispatches.id, dispatchId))
