import type { CampaignCounts } from '@balcao/contract/campaignPeople.ts'
import type { CampaignSetup } from '@balcao/contract/campaignSetups.ts'
import type { Campaign, CampaignDispatch, CampaignMessage } from '@balcao/contract/campaignShapes.ts'
import { mayManageCampaign, shownSetup } from '@balcao/contract/campaigns.rules.ts'
import type { PageQuery } from '@balcao/contract/kit.ts'
import { may, type Viewer } from '@balcao/contract/permissions.rules.ts'
import { refuse } from '../../platform/errors.ts'
import { containing, onePage } from '../../platform/lists/lists.ts'
import { given, prepared, preparedFor } from '../../platform/postgres/prepared.ts'
import { and, asc, desc, eq, inArray, sql as tag } from '../../platform/postgres/sql.ts'
import { type Tx, viewerOf } from '../../platform/scope.ts'
import { requireCampaigns, setupsOf } from '../campaignSetups/campaignSetups.queries.ts'
import { startOf } from '../companies/companies.queries.ts'
import { companies } from '../companies/companies.table.ts'
import { isoOf } from '../schedules/schedules.queries.ts'
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

/** The stored row. Refuses with ERR_NOT_FOUND, also another's campaign to who sees only own customers: it names its recipients. */
export async function findCampaignRow(tx: Tx, campaignId: number): Promise<CampaignRow> {
  const campaign = await campaignRowOrNull(tx, campaignId)
  const isShut = tx.viewer !== null && !may(tx.viewer, 'contacts:all')
  if (!campaign || (isShut && !mayManageCampaign(viewerOf(tx), campaign)))
    return refuse('ERR_NOT_FOUND', { field: 'campaignId' })
  return campaign
}

export async function campaignRowOrNull(tx: Tx, campaignId: number): Promise<CampaignRow | null> {
  const [row] = await tx.sql.select().from(campaigns).where(own(tx, campaignId))
  return row ?? null
}

export async function lockCampaignOrNull(tx: Tx, campaignId: number): Promise<CampaignRow | null> {
  const [row] = await tx.sql.select().from(campaigns).where(own(tx, campaignId)).for('update')
  return row ?? null
}

/** Refuses with ERR_NOT_FOUND. */
export const findCampaign = async (tx: Tx, campaignId: number): Promise<Campaign> =>
  (await shownCampaigns(tx, [await findCampaignRow(tx, campaignId)]))[0]!

/** Campaigns as the viewer sees them; two statements however many. */
async function shownCampaigns(tx: Tx, rows: CampaignRow[]): Promise<Campaign[]> {
  if (rows.length === 0) return []
  const setups = await setupsOf(tx, [...new Set(rows.flatMap(({ setupId }) => setupId ?? []))])
  const messages = await tx.sql
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
    // the id of a setup is a token: others see its handle
    setupId: null,
    ...withSetup(tx.viewer, setups.get(row.setupId ?? '') ?? null),
    campaignMessages: messages.filter(({ campaignId }) => campaignId === row.id).map(shownMessage),
    ...progressOf(row),
  }))
}

function withSetup(viewer: Viewer | null, setup: CampaignSetup | null) {
  const campaignSetup = setup && shownSetup(viewer, setup)
  return { campaignSetup, campaignSetupId: campaignSetup?.id ?? null }
}

const shownMessage = ({ media, ...row }: CampaignMessageRow): CampaignMessage => ({
  ...row,
  mediaUrlVt: row.mediaUrl,
  mediaName: media?.name ?? '',
})

/** The part of a campaign that changes while it runs. */
export const progressOf = (row: CampaignRow) => ({
  counts: countsOf(row),
  waits: row.status === 'start' && row.waitReason ? { reason: row.waitReason, until: row.waitsUntil } : null,
})

export const countsOf = (row: CampaignRow): CampaignCounts => {
  const { total, sending, sent, failed, delivered, read, answered, optedOut } = row
  const pending = total - sending - sent - failed
  return { total, pending, sending, sent, failed, delivered, read, answered, optedOut }
}

export const messagesOf = async (tx: Tx, campaignId: number): Promise<CampaignMessageRow[]> =>
  (await messagesOfEach(tx, [campaignId])).get(campaignId) ?? []

/** In their order, by campaign; without those that have none. */
export async function messagesOfEach(tx: Tx, campaignIds: number[]) {
  const rows = await messageRows(tx.sql, { companyId: tx.companyId, campaignIds })
  return Map.groupBy(rows, ({ campaignId }) => campaignId)
}

const messageRows = prepared(sql =>
  sql
    .select()
    .from(campaignMessages)
    .where(
      and(
        eq(campaignMessages.companyId, given('companyId')),
        tag`${campaignMessages.campaignId} = any(${given('campaignIds')}::int[])`,
      ),
    )
    .orderBy(asc(campaignMessages.campaignId), asc(campaignMessages.place)),
)

/** The file of a campaign's message, kept until the transaction ends. Refuses with ERR_NOT_FOUND. */
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

/** Which of these addresses campaigns send. */
export async function filesInCampaigns(tx: Tx, addresses: string[]): Promise<string[]> {
  const rows = await tx.sql
    .selectDistinct({ mediaUrl: campaignMessages.mediaUrl })
    .from(campaignMessages)
    .where(and(eq(campaignMessages.companyId, tx.companyId), inArray(campaignMessages.mediaUrl, addresses)))
  return rows.flatMap(row => row.mediaUrl ?? [])
}

/** Null for a ticket that was deleted. */
const existingTicketId = tag<number | null>`(select t.id from ${tickets} t
  where t.company_id = ${campaignDispatches}.company_id and t.id = ${campaignDispatches}.ticket_id)`

export const dispatchColumns = {
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
  ticketId: existingTicketId,
  contactId: campaignDispatches.contactId,
  reason: campaignDispatches.reason,
  ack: campaignDispatches.ack,
  answeredAt: campaignDispatches.answeredAt,
  answerButton: campaignDispatches.answerButton,
  optedOut: campaignDispatches.optedOut,
}

export async function lockDispatch(tx: Tx, dispatchId: number): Promise<DispatchRow | null> {
  const [row] = await tx.sql.select().from(campaignDispatches).where(itself(tx, dispatchId)).for('update')
  return row ?? null
}

/** Stores recipients that the caller holds locked, as they are now. Returns them as users see them. */
export const saveDispatches = (tx: Tx, people: DispatchRow[]): Promise<CampaignDispatch[]> =>
  people.length === 0
    ? Promise.resolve([])
    : saving(tx.sql, {
        companyId: tx.companyId,
        ...Object.fromEntries(changing.map(name => [name, people.map(person => person[name])])),
      })

/** What changes of a recipient while its campaign runs, behind its id. */
const changing = [
  'id',
  'status',
  'reason',
  'whatsappId',
  'contactId',
  'ticketId',
  'schedule',
  'greeting',
  'message',
  'mediaUrl',
  'greetingSendAt',
  'messageSendAt',
  'ack',
  'answeredAt',
  'answerTicketId',
  'answerButton',
  'optedOut',
] as const

const saving = prepared(sql => {
  const columns = changing.map(name => [name, campaignDispatches[name]] as const)
  const values = columns.map(([name, column]) => tag`${given(name)}::${tag.raw(column.getSQLType())}[]`)
  const names = tag.raw(columns.map(([, { name }]) => name).join(', '))
  return sql
    .update(campaignDispatches)
    .set(Object.fromEntries(columns.slice(1).map(([name, column]) => [name, tag.raw(`n.${column.name}`)])))
    .from(tag`unnest(${tag.join(values, tag`, `)}) as n (${names})`)
    .where(and(eq(campaignDispatches.companyId, given('companyId')), tag`${campaignDispatches.id} = n.id`))
    .returning(dispatchColumns)
})

/** Returns it as users see it; null when it is gone. */
export async function updateDispatch(
  tx: Tx,
  dispatchId: number,
  fields: Partial<DispatchRow>,
): Promise<CampaignDispatch | null> {
  const [row] = await tx.sql
    .update(campaignDispatches)
    .set(fields)
    .where(itself(tx, dispatchId))
    .returning(dispatchColumns)
  return row ?? null
}

export const updateCampaign = (tx: Tx, campaignId: number, fields: Partial<typeof campaigns.$inferInsert>) =>
  tx.sql.update(campaigns).set(fields).where(own(tx, campaignId))

export type Counter = 'total' | 'sending' | 'sent' | 'failed' | 'delivered' | 'read' | 'answered' | 'optedOut'

/** Adds to the counts in the transaction that changes recipients, and sets `known`. Returns the new row. Refuses with ERR_NOT_FOUND. */
export async function countPeople(
  tx: Tx,
  campaignId: number,
  by: Partial<Record<Counter, number>>,
  known: Partial<typeof campaigns.$inferInsert> = {},
): Promise<CampaignRow> {
  const shape = { counted: Object.keys(by) as Counter[], known: Object.keys(known) }
  const [row] = await counting(tx.sql, shape, { companyId: tx.companyId, campaignId, ...known, ...by })
  return row ?? refuse('ERR_NOT_FOUND', { field: 'campaignId' })
}

const counting = preparedFor((sql, { counted, known }: { counted: Counter[]; known: string[] }) =>
  sql
    .update(campaigns)
    .set(
      Object.fromEntries([
        ...known.map(name => [name, given(name)]),
        ...counted.map(name => [name, tag`${campaigns[name]} + ${given(name)}::int`]),
      ]),
    )
    .where(and(eq(campaigns.companyId, given('companyId')), eq(campaigns.id, given('campaignId'))))
    .returning(),
)

const own = (tx: Tx, campaignId: number) =>
  and(eq(campaigns.companyId, tx.companyId), eq(campaigns.id, campaignId))

const itself = (tx: Tx, dispatchId: number) =>
  and(eq(campaignDispatches.companyId, tx.companyId), eq(campaignDispatches.id, dispatchId))

/** A campaign that the caller may change, locked. Refuses with ERR_NOT_FOUND and ERR_NO_PERMISSION. */
export async function lockManagedCampaign(tx: Tx, campaignId: number): Promise<CampaignRow> {
  await requireCampaigns(tx)
  const campaign =
    (await lockCampaignOrNull(tx, campaignId)) ?? refuse('ERR_NOT_FOUND', { field: 'campaignId' })
  // no viewer: the token of a setup
  const isManaged = tx.viewer === null || mayManageCampaign(viewerOf(tx), campaign)
  return isManaged ? campaign : refuse('ERR_NO_PERMISSION')
}

/** A local time of a form in UTC, and whether it is in the past or too far ahead. */
export async function plannedAt(tx: Tx, moment: string, aheadMonths: number) {
  const at = startOf(tx, moment)
  const [row] = await tx.sql
    .select({
      at: isoOf(at),
      isPast: tag<boolean>`${at} < now() - interval '1 minute'`,
      isFar: tag<boolean>`${at} > now() + ${aheadMonths}::int * interval '1 month' + interval '1 day'`,
    })
    .from(companies)
    .where(eq(companies.id, tx.companyId))
  return row!
}

export async function insertCampaign(
  tx: Tx,
  values: Omit<typeof campaigns.$inferInsert, 'companyId' | 'id'>,
): Promise<number> {
  const [row] = await tx.sql
    .insert(campaigns)
    .values({ ...values, companyId: tx.companyId })
    .returning({ id: campaigns.id })
  return row!.id
}

/** Campaigns that were made for people of a finished one. */
export const followUpsOf = (tx: Tx, campaignId: number) =>
  tx.sql
    .select({ id: campaigns.id, status: campaigns.status, followsWhom: campaigns.followsWhom })
    .from(campaigns)
    .where(and(eq(campaigns.companyId, tx.companyId), eq(campaigns.followsId, campaignId)))
    .orderBy(desc(campaigns.id))

export const deleteCampaign = (tx: Tx, campaignId: number) =>
  tx.sql.delete(campaigns).where(own(tx, campaignId))

type NewMessage = Omit<typeof campaignMessages.$inferInsert, 'companyId' | 'id' | 'campaignId'>

export async function replaceMessages(tx: Tx, campaignId: number, messages: NewMessage[]): Promise<void> {
  await tx.sql
    .delete(campaignMessages)
    .where(and(eq(campaignMessages.companyId, tx.companyId), eq(campaignMessages.campaignId, campaignId)))
  if (messages.length === 0) return
  await tx.sql
    .insert(campaignMessages)
    .values(messages.map(message => ({ ...message, companyId: tx.companyId, campaignId })))
}

export async function campaignOfDispatch(tx: Tx, dispatchId: number): Promise<number | null> {
  const [row] = await tx.sql
    .select({ campaignId: campaignDispatches.campaignId })
    .from(campaignDispatches)
    .where(itself(tx, dispatchId))
  return row?.campaignId ?? null
}

/** The caller holds it locked. */
export async function deleteDispatch(tx: Tx, dispatchId: number): Promise<DispatchRow> {
  const [row] = await tx.sql.delete(campaignDispatches).where(itself(tx, dispatchId)).returning()
  return row!
}
