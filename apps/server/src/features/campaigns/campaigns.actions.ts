import {
  AHEAD_MONTHS,
  type Campaign,
  type CampaignChange,
  type CampaignInput,
} from '@balcao/contract/campaignShapes.ts'
import { refuse } from '../../platform/errors.ts'
import type { StoredFile } from '../../platform/files/files.ts'
import { removeFiles } from '../../platform/files/served.ts'
import type { Scope, Tx } from '../../platform/scope.ts'
import { findCampaignSetup, requireCampaigns } from '../campaignSetups/campaignSetups.queries.ts'
import { campaignsChanged, publishCampaign } from './campaigns.events.ts'
import { writeMessages } from './campaigns.messages.actions.ts'
import {
  type CampaignRow,
  campaignOfDispatch,
  countPeople,
  type DispatchRow,
  deleteCampaign,
  deleteDispatch,
  findCampaignRow,
  insertCampaign,
  lockDispatch,
  lockManagedCampaign,
  messagesOf,
  plannedAt,
  updateCampaign,
} from './campaigns.queries.ts'
import { addPeople, readList } from './recipients/recipients.actions.ts'
import { beginBySelf, finishIfOver } from './run/status.actions.ts'
import { holdUnsent, withdrawRest, withdrawUnsent } from './run/withdrawal.actions.ts'

/**
 * Adds a campaign without recipients, owned by the caller. Refuses with ERR_NO_PERMISSION where there are no campaigns,
 * ERR_NOT_FOUND for its setup, what `writeMessages` refuses, and ERR_BAD_REQUEST for a time in the past or too far ahead.
 */
export const addCampaign = (scope: Scope, input: CampaignChange, files: StoredFile[]): Promise<Campaign> =>
  scope.transaction(async tx => {
    await requireCampaigns(tx)
    const { id: setupId } = await findCampaignSetup(tx, input.campaignSetupId)
    const id = await insertCampaign(tx, {
      name: input.name,
      setupId,
      userId: tx.viewer?.id ?? null,
      ...(input.standIns && { standIns: input.standIns }),
      ...(await planned(tx, input.schedule)),
    })
    await writeMessages(tx, id, input, files)
    return publishCampaign(tx, id, 'create')
  })

/**
 * Adds a campaign with recipients, owned by the caller or, by the token of its setup, by the setup's owner. Without a time it
 * starts if the setup says so (OP-93). Refuses like `addCampaign` and `addRecipients`, and with ERR_BAD_REQUEST without a
 * valid recipient.
 */
export const addWhole = async (
  scope: Scope,
  named: string,
  input: CampaignInput,
  files: StoredFile[],
): Promise<Campaign> => {
  await scope.read(requireCampaigns)
  const list = await readList(scope, input)
  return scope.transaction(async tx => {
    await requireCampaigns(tx)
    const setup = await findCampaignSetup(tx, named)
    const { name, myId, myDetails } = input
    const id = await insertCampaign(tx, {
      name,
      setupId: setup.id,
      userId: tx.viewer?.id ?? setup.userId,
      ...(myId !== undefined && { myId }),
      ...(myDetails !== undefined && { myDetails }),
      ...(await planned(tx, input.schedule)),
    })
    await writeMessages(tx, id, input, files)
    const { added, faults } = await addPeople(tx, id, input, list)
    if (added === 0)
      refuse('ERR_BAD_REQUEST', {
        field: 'sendList',
        message: 'Adicione ao menos um contato',
        details: { faults },
      })
    const campaign = await findCampaignRow(tx, id)
    if (campaign.status === 'created' && setup.autoStart) await beginBySelf(tx, campaign)
    return publishCampaign(tx, id, 'create')
  })
}

type Change = { [Field in keyof CampaignChange]?: CampaignChange[Field] | undefined }

/**
 * Changes a campaign: what is left out stays. Refuses with ERR_NOT_FOUND, ERR_NO_PERMISSION, ERR_CAMPAIGN_FINALIZED,
 * ERR_CAMPAIGN_RUNNING, and what `addCampaign` refuses.
 */
export const changeCampaign = (
  scope: Scope,
  campaignId: number,
  input: Change,
  files: StoredFile[],
): Promise<Campaign> =>
  scope.transaction(async tx => {
    const before = await lockManagedCampaign(tx, campaignId)
    if (before.status === 'finalized') return refuse('ERR_CAMPAIGN_FINALIZED')
    const { name, campaignSetupId, messages, schedule, standIns } = input
    const setupId = campaignSetupId && (await findCampaignSetup(tx, campaignSetupId)).id
    const isOther = setupId !== undefined && setupId !== before.setupId
    // all recipients of a started campaign get the same
    if (before.initialized && (isOther || messages)) refuse('ERR_CAMPAIGN_RUNNING')
    const replan = schedule === undefined ? {} : await replanned(tx, before, schedule)
    const fields = {
      ...(name !== undefined && { name }),
      ...(isOther && { setupId }),
      ...(standIns && { standIns }),
      ...replan,
    }
    if (Object.keys(fields).length > 0) await updateCampaign(tx, campaignId, fields)
    if (messages) await writeMessages(tx, campaignId, { messages, greeting: input.greeting }, files)
    return publishCampaign(tx, campaignId)
  })

/** Deletes a campaign; what is not sent stays unsent. Refuses with ERR_NOT_FOUND and ERR_NO_PERMISSION. */
export const removeCampaign = (scope: Scope, campaignId: number): Promise<void> =>
  scope.transaction(async tx => {
    await holdUnsent(tx, campaignId)
    await lockManagedCampaign(tx, campaignId)
    await withdrawUnsent(tx, campaignId)
    const files = (await messagesOf(tx, campaignId)).flatMap(({ mediaUrl }) => mediaUrl ?? [])
    await deleteCampaign(tx, campaignId)
    await removeFiles(tx, files)
    tx.emit(campaignsChanged, { action: 'delete', campaignId })
  })

/** Removes one recipient; what is not sent stays unsent. Refuses with ERR_NOT_FOUND and ERR_NO_PERMISSION. */
export const removeDispatch = (scope: Scope, dispatchId: number): Promise<void> =>
  scope.transaction(async tx => {
    const found = (await campaignOfDispatch(tx, dispatchId)) ?? missing()
    await withdrawRest(tx, dispatchId)
    const { campaignId } = (await lockDispatch(tx, dispatchId)) ?? missing()
    await lockManagedCampaign(tx, found)
    const deleted = await deleteDispatch(tx, dispatchId)
    const campaign = await countPeople(tx, campaignId, { total: -1, ...removedCounts(deleted) })
    if (!(await finishIfOver(tx, campaign))) await publishCampaign(tx, campaignId)
  })

const missing = () => refuse('ERR_NOT_FOUND', { field: 'dispatchId' })

/** The counts that a removed recipient was in. */
export function removedCounts({ status, ack, answeredAt, optedOut }: DispatchRow) {
  const less = (isIn: boolean) => (isIn ? -1 : 0)
  return {
    sending: less(status === 'sending'),
    sent: less(status === 'sent'),
    failed: less(status === 'sentFail'),
    delivered: less(ack >= 3),
    read: less(ack >= 4),
    answered: less(answeredAt !== null),
    optedOut: less(optedOut),
  }
}

type Planned = Pick<CampaignRow, 'schedule' | 'status'>

async function planned(tx: Tx, schedule: string | null | undefined): Promise<Planned> {
  if (!schedule) return { schedule: null, status: 'created' }
  const { at, isPast, isFar } = await plannedAt(tx, schedule, AHEAD_MONTHS.manager)
  if (isPast) refuse('ERR_BAD_REQUEST', { field: 'schedule', message: 'In the past' })
  if (isFar)
    refuse('ERR_BAD_REQUEST', {
      field: 'schedule',
      message: `More than ${AHEAD_MONTHS.manager} months ahead`,
    })
  return { schedule: at, status: 'scheduled' }
}

/** A paused campaign may get a time to go on at; a running one only drops its time. */
async function replanned(tx: Tx, before: CampaignRow, schedule: string | null): Promise<Partial<Planned>> {
  if (schedule && before.status === 'start') return refuse('ERR_CAMPAIGN_RUNNING', { field: 'schedule' })
  const next = await planned(tx, schedule)
  if (schedule) return { ...next, ...(await checkSetup(tx, before)) }
  if (before.status !== 'scheduled') return { schedule: null }
  return { schedule: null, status: before.initialized ? 'pause' : 'created' }
}

async function checkSetup(tx: Tx, { setupId }: CampaignRow) {
  if (setupId === null) return refuse('ERR_CAMPAIGN_NO_SETUP', { field: 'campaignSetupId' })
  await findCampaignSetup(tx, setupId)
  return {}
}
