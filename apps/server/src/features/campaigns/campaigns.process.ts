import type { Campaign, CampaignAction, PauseReason } from '@balcao/contract/campaignShapes.ts'
import { statusAfter } from '@balcao/contract/campaigns.rules.ts'
import { refuse } from '../../platform/errors.ts'
import type { Scope, Tx } from '../../platform/scope.ts'
import { findCampaignSetup, setupOrNull } from '../campaignSetups/campaignSetups.queries.ts'
import { isSwitchedOn } from '../companies/companies.queries.ts'
import { isSuspended } from '../companies/companies.standing.ts'
import { connectionsUnderWay, whyNotUnderWay } from '../connections/connections.queries.ts'
import { callConcluded } from './campaigns.calls.ts'
import { lockManagedCampaign } from './campaigns.checks.ts'
import { wakeClocks } from './campaigns.clocks.ts'
import { clockSet } from './campaigns.events.ts'
import {
  type CampaignRow,
  countsOf,
  lockCampaignOrNull,
  messagesOf,
  updateCampaign,
} from './campaigns.queries.ts'
import { holdUnsent, takeBack } from './campaigns.recall.ts'
import { tellCampaign } from './campaigns.tell.ts'
import { plannedCampaigns } from './campaigns.turns.ts'

/** By one call; the next one begins the rest. */
const MOST_BEGUN = 100

/**
 * Starts, pauses or finalizes. What is under way is finished, what has not left never leaves. Answers the campaign, after
 * a start with the status before it (automation §4). Refuses with ERR_NOT_FOUND, ERR_NO_PERMISSION,
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
    if (status === before.status && action !== 'start') return tellCampaign(tx, campaignId)
    if (action === 'start') await begin(tx, before)
    if (action === 'pause') await rest(tx, before)
    if (action === 'finalized') await conclude(tx, before)
    const campaign = await tellCampaign(tx, campaignId)
    return action === 'start' ? { ...campaign, status: before.status } : campaign
  })

/** One that waited for its time, which has come; it rests with a reason where it cannot begin. */
export const beginPlanned = (scope: Scope, campaignId: number): Promise<void> =>
  scope.transaction(async tx => {
    const campaign = await lockCampaignOrNull(tx, campaignId)
    if (campaign?.status !== 'scheduled' || !campaign.schedule) return
    if (Date.parse(campaign.schedule) > Date.now()) return
    await beginBySelf(tx, campaign)
  })

/** Those of one company whose time has come begin. Answers how many were due. */
export async function beginDueCampaigns(scope: Scope): Promise<number> {
  const due = await scope.read(tx => plannedCampaigns(tx.sql, MOST_BEGUN))
  for (const { id } of due) await beginPlanned(scope, id)
  return due.length
}

/**
 * Begins a campaign that nobody stands before: what would be refused is the reason for which it rests. Of a company that
 * is suspended it begins when that is over.
 */
export async function beginBySelf(tx: Tx, campaign: CampaignRow): Promise<void> {
  const { id } = campaign
  if (await isSuspended(tx)) {
    await updateCampaign(tx, id, {
      status: 'scheduled',
      schedule: campaign.schedule ?? new Date().toISOString(),
    })
    return void (await tellCampaign(tx, id))
  }
  const reason = await whyNotBySelf(tx, campaign)
  if (reason) await updateCampaign(tx, id, { status: 'pause', pauseReason: reason, pauseDetail: '' })
  else await run(tx, campaign)
  await tellCampaign(tx, id)
}

async function whyNotBySelf(tx: Tx, campaign: CampaignRow): Promise<PauseReason | null> {
  if (!(await isSwitchedOn(tx, 'enableCampaigns'))) return 'plan'
  const setup = await setupOrNull(tx, campaign.setupId)
  if (!setup) return 'noSetup'
  // one whose people all opted out before is through, and its webhook is told
  if (campaign.total === 0 || (await isSilent(tx, campaign))) return 'empty'
  const underWay = await connectionsUnderWay(tx)
  return setup.whatsapps.some(one => underWay.includes(one.id)) ? null : 'disconnected'
}

const isSilent = async (tx: Tx, { id }: CampaignRow) => (await messagesOf(tx, id)).length === 0

async function begin(tx: Tx, campaign: CampaignRow) {
  if (campaign.status === 'start') return
  const { pending, sending } = countsOf(campaign)
  if (pending + sending === 0 || (await isSilent(tx, campaign))) refuse('ERR_CAMPAIGN_EMPTY')
  if (campaign.setupId === null) return refuse('ERR_CAMPAIGN_NO_SETUP', { field: 'campaignSetupId' })
  const { whatsapps } = await findCampaignSetup(tx, campaign.setupId)
  const underWay = await connectionsUnderWay(tx)
  if (!whatsapps.some(({ id }) => underWay.includes(id))) refuse(await whyNotUnderWay(tx))
  await run(tx, campaign)
}

async function run(tx: Tx, { id, initialized }: CampaignRow) {
  await updateCampaign(tx, id, {
    status: 'start',
    initialized: initialized ?? new Date().toISOString(),
    pauseReason: null,
    pauseDetail: '',
    waitReason: null,
    waitsUntil: null,
  })
  await wakeClocks(tx, id)
  tx.emit(clockSet, {})
}

async function rest(tx: Tx, { id }: CampaignRow) {
  await takeBack(tx, id)
  await updateCampaign(tx, id, { status: 'pause', pauseReason: null, pauseDetail: '', ...nothingWaits })
}

const nothingWaits = { waitReason: null, waitsUntil: null }

async function conclude(tx: Tx, campaign: CampaignRow) {
  await takeBack(tx, campaign.id)
  const finalized = new Date().toISOString()
  await updateCampaign(tx, campaign.id, {
    status: 'finalized',
    finalized,
    pauseReason: null,
    ...nothingWaits,
  })
  await callConcluded(tx, campaign)
}

/** It stops by itself; what is under way is finished. */
export async function pauseBySelf(
  tx: Tx,
  campaignId: number,
  pauseReason: PauseReason,
  pauseDetail: string,
): Promise<void> {
  const campaign = await lockCampaignOrNull(tx, campaignId)
  if (campaign?.status !== 'start') return
  await updateCampaign(tx, campaignId, { status: 'pause', pauseReason, pauseDetail, ...nothingWaits })
  tx.note('a campaign stopped by itself', { campaignId, reason: pauseReason, detail: pauseDetail })
  await tellCampaign(tx, campaignId)
}

/** When nobody waits any more and nothing is under way, it is over. */
export async function finishIfOver(tx: Tx, campaign: CampaignRow): Promise<boolean> {
  const { pending, sending } = countsOf(campaign)
  if (campaign.status !== 'start' || pending + sending > 0) return false
  await conclude(tx, campaign)
  await tellCampaign(tx, campaign.id)
  return true
}
