import type { Campaign, CampaignAction, CampaignPauseReason } from '@balcao/contract/campaignShapes.ts'
import { statusAfter } from '@balcao/contract/campaigns.rules.ts'
import { databaseNow, databaseTime } from '../../../platform/clock.ts'
import { refuse } from '../../../platform/errors.ts'
import { together } from '../../../platform/postgres/db.ts'
import type { Scope, Tx } from '../../../platform/scope.ts'
import { findCampaignSetup, setupOrNull } from '../../campaignSetups/campaignSetups.queries.ts'
import { isSwitchedOn } from '../../companies/companies.queries.ts'
import { isSuspended } from '../../companies/companies.status.queries.ts'
import { connectionsUnderWay, whyNotUnderWay } from '../../connections/connections.queries.ts'
import { campaignProgressed, clockSet, publishCampaign } from '../campaigns.events.ts'
import {
  type CampaignRow,
  type Counter,
  countPeople,
  countsOf,
  type DispatchRow,
  findCampaignRow,
  lockCampaignOrNull,
  lockManagedCampaign,
  messagesOfEach,
  progressOf,
  saveDispatches,
  updateCampaign,
} from '../campaigns.queries.ts'
import { callConcluded } from '../results/webhooks.worker.ts'
import { wakeClocks } from './outcome.queries.ts'
import { plannedCampaigns } from './run.queries.ts'
import { holdUnsent, withdrawUnsent } from './withdrawal.actions.ts'

/** Campaigns that one call starts. */
const MAX_STARTED = 100

/**
 * Starts, pauses or finalizes. What is being sent is finished, the rest stays unsent. Returns the campaign, after a start with
 * the status before it (automation §4). Refuses with ERR_NOT_FOUND, ERR_NO_PERMISSION,
 * ERR_CAMPAIGN_FINALIZED, ERR_CAMPAIGN_EMPTY, ERR_CAMPAIGN_NO_SETUP, ERR_WAPP_NOT_INITIALIZED, ERR_COMPANY_SUSPENDED.
 */
export const processCampaign = (
  scope: Scope,
  campaignId: number,
  action: CampaignAction,
): Promise<Campaign> =>
  scope.transaction(async tx => {
    if (action !== 'start') await holdUnsent(tx, campaignId)
    const before = await lockManagedCampaign(tx, campaignId)
    const status = statusAfter(before.status, action) ?? refuse('ERR_CAMPAIGN_FINALIZED')
    if (status === before.status && action !== 'start') return publishCampaign(tx, campaignId)
    if (action === 'start') await begin(tx, before)
    if (action === 'pause') await pause(tx, before)
    if (action === 'finalized') await conclude(tx, before)
    const campaign = await publishCampaign(tx, campaignId)
    return action === 'start' ? { ...campaign, status: before.status } : campaign
  })

/** Starts a planned campaign that is due; it pauses with a reason where it cannot start. */
export const beginPlanned = (scope: Scope, campaignId: number): Promise<void> =>
  scope.transaction(async tx => {
    const campaign = await lockCampaignOrNull(tx, campaignId)
    if (campaign?.status !== 'scheduled' || !campaign.schedule) return
    if (Date.parse(campaign.schedule) > databaseNow()) return
    await beginBySelf(tx, campaign)
  })

/** Starts the planned campaigns of a company that are due. Returns how many were. */
export async function beginDueCampaigns(scope: Scope): Promise<number> {
  const due = await scope.read(tx => plannedCampaigns(tx.sql, MAX_STARTED))
  for (const { id } of due) await beginPlanned(scope, id)
  return due.length
}

/** Starts a campaign without a user: a refusal becomes the reason of a pause. In a suspended company it stays planned. */
export async function beginBySelf(tx: Tx, campaign: CampaignRow): Promise<void> {
  const { id } = campaign
  if (await isSuspended(tx)) {
    await updateCampaign(tx, id, {
      status: 'scheduled',
      schedule: campaign.schedule ?? databaseTime(),
    })
    return void (await publishCampaign(tx, id))
  }
  const reason = await whyNotBySelf(tx, campaign)
  if (reason) await updateCampaign(tx, id, { status: 'pause', pauseReason: reason, pauseDetail: '' })
  else await run(tx, campaign)
  await publishCampaign(tx, id)
}

/** After a day a message is out of date, such as an offer of that day. */
const TOO_LATE_MS = 24 * 3_600_000

/** Whether it should have sent at `due`, more than a day before `now`. */
export const isTooLate = (due: string | null, now: number): boolean =>
  due !== null && now - Date.parse(due) > TOO_LATE_MS

async function whyNotBySelf(tx: Tx, campaign: CampaignRow): Promise<CampaignPauseReason | null> {
  if (isTooLate(campaign.schedule, databaseNow())) return 'late'
  if (!(await isSwitchedOn(tx, 'enableCampaigns'))) return 'plan'
  const setup = await setupOrNull(tx, campaign.setupId)
  if (!setup) return 'noSetup'
  // one whose recipients all opted out is over at once, and its webhook is called
  if (campaign.total === 0 || (await hasNoMessages(tx, campaign))) return 'empty'
  const underWay = await connectionsUnderWay(tx)
  return setup.whatsapps.some(one => underWay.includes(one.id)) ? null : 'disconnected'
}

const hasNoMessages = async (tx: Tx, { id }: CampaignRow) => (await messagesOfEach(tx, [id])).size === 0

async function begin(tx: Tx, campaign: CampaignRow) {
  if (campaign.status === 'start') return
  const { pending, sending } = countsOf(campaign)
  if (pending + sending === 0 || (await hasNoMessages(tx, campaign))) refuse('ERR_CAMPAIGN_EMPTY')
  if (campaign.setupId === null) return refuse('ERR_CAMPAIGN_NO_SETUP', { field: 'campaignSetupId' })
  const { whatsapps } = await findCampaignSetup(tx, campaign.setupId)
  const underWay = await connectionsUnderWay(tx)
  if (!whatsapps.some(({ id }) => underWay.includes(id))) refuse(await whyNotUnderWay(tx))
  await run(tx, campaign)
}

async function run(tx: Tx, { id, initialized }: CampaignRow) {
  await updateCampaign(tx, id, {
    status: 'start',
    initialized: initialized ?? databaseTime(),
    pauseReason: null,
    pauseDetail: '',
    waitReason: null,
    // the delay until its first message counts from here
    waitsUntil: databaseTime(),
  })
  await wakeClocks(tx, id)
  tx.emit(clockSet, {})
}

async function pause(tx: Tx, { id }: CampaignRow) {
  await withdrawUnsent(tx, id)
  await updateCampaign(tx, id, { status: 'pause', pauseReason: null, pauseDetail: '', ...noWait })
}

const noWait = { waitReason: null, waitsUntil: null }

async function conclude(tx: Tx, campaign: CampaignRow) {
  await withdrawUnsent(tx, campaign.id)
  const finalized = databaseTime()
  await updateCampaign(tx, campaign.id, {
    status: 'finalized',
    finalized,
    pauseReason: null,
    ...noWait,
  })
  await callConcluded(tx, campaign)
}

/** Pauses a campaign with a reason; what is being sent is finished. */
export async function pauseBySelf(
  tx: Tx,
  campaignId: number,
  pauseReason: CampaignPauseReason,
  pauseDetail: string,
): Promise<void> {
  const campaign = await lockCampaignOrNull(tx, campaignId)
  if (campaign?.status !== 'start' && campaign?.status !== 'scheduled') return
  await updateCampaign(tx, campaignId, { status: 'pause', pauseReason, pauseDetail, ...noWait })
  tx.note('a campaign stopped by itself', { campaignId, reason: pauseReason, detail: pauseDetail })
  await publishCampaign(tx, campaignId)
}

/** Finalizes a running campaign without pending or sending recipients. Returns whether it did. */
export async function finishIfOver(tx: Tx, campaign: CampaignRow): Promise<boolean> {
  const { pending, sending } = countsOf(campaign)
  if (campaign.status !== 'start' || pending + sending > 0) return false
  await conclude(tx, campaign)
  await publishCampaign(tx, campaign.id)
  return true
}

/** What changes with the recipients of campaigns, by the id of the campaign. */
export type CampaignChanges = Map<
  number,
  { counts?: Partial<Record<Counter, number>>; set?: Partial<CampaignRow> }
>

/** Adds to the counts of a campaign. */
export function addCounts(
  changes: CampaignChanges,
  campaignId: number,
  by: Partial<Record<Counter, number>>,
) {
  if (Object.keys(by).length === 0) return
  const known = changes.get(campaignId) ?? {}
  const counts = { ...known.counts }
  for (const [name, more] of Object.entries(by) as [Counter, number][])
    counts[name] = (counts[name] ?? 0) + more
  changes.set(campaignId, { ...known, counts })
}

/**
 * Stores recipients that the caller holds locked, with the counts of their campaigns, and publishes both. `beside`: statements of
 * the same packet, after these. Returns the campaigns by id. Refuses with ERR_NOT_FOUND.
 */
export async function changePeople(
  tx: Tx,
  people: DispatchRow[],
  changes: CampaignChanges,
  beside: (() => PromiseLike<unknown>)[] = [],
): Promise<Map<number, CampaignRow>> {
  // in one order: others count at the same time
  const ids = [...new Set([...people.map(({ campaignId }) => campaignId), ...changes.keys()])].sort(
    (one, other) => one - other,
  )
  const [shown, ...answers] = await together(
    tx.sql,
    () => saveDispatches(tx, people),
    ...ids.map(id => () => {
      const { counts = {}, set = {} } = changes.get(id) ?? {}
      const isChanged = Object.keys(counts).length + Object.keys(set).length > 0
      return isChanged ? countPeople(tx, id, counts, set) : findCampaignRow(tx, id)
    }),
    ...beside,
  )
  const campaigns = new Map(ids.map((id, at) => [id, answers[at] as CampaignRow]))
  for (const campaignDispatch of shown) {
    const row = campaigns.get(campaignDispatch.campaignId)!
    tx.emit(campaignProgressed, {
      campaignId: row.id,
      push: {
        action: 'update',
        campaignDispatch,
        campaign: { id: row.id, status: row.status, ...progressOf(row) },
        sentCount: row.sent,
        failCount: row.failed,
      },
    })
  }
  return campaigns
}

/** The same for one recipient. Returns its campaign. */
export async function changeDispatch(
  tx: Tx,
  person: DispatchRow,
  set: Partial<DispatchRow>,
  counts: Partial<Record<Counter, number>> = {},
  beside: (() => PromiseLike<unknown>)[] = [],
): Promise<CampaignRow> {
  const { campaignId } = person
  const changes = new Map([[campaignId, { counts }]])
  return (await changePeople(tx, [{ ...person, ...set }], changes, beside)).get(campaignId)!
}
