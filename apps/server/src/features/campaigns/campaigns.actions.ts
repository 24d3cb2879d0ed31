import {
  AHEAD_MONTHS,
  type Campaign,
  type CampaignChange,
  type CampaignInput,
} from '@balcao/contract/campaignShapes.ts'
import { refuse } from '../../platform/errors.ts'
import { removeFiles } from '../../platform/files.served.ts'
import type { StoredFile } from '../../platform/files.ts'
import type { Scope, Tx } from '../../platform/scope.ts'
import { and, eq } from '../../platform/sql.ts'
import { askCampaigns, findCampaignSetup } from '../campaignSetups/campaignSetups.queries.ts'
import { lockManagedCampaign } from './campaigns.checks.ts'
import { campaignsChanged } from './campaigns.events.ts'
import { writeMessages } from './campaigns.messages.ts'
import { beginBySelf, finishIfOver } from './campaigns.process.ts'
import {
  type CampaignRow,
  countPeople,
  lockDispatch,
  lookAt,
  messagesOf,
  own,
  updateCampaign,
} from './campaigns.queries.ts'
import { holdUnsent, takeBack, takeBackRest } from './campaigns.recall.ts'
import { takeIn } from './campaigns.recipients.ts'
import { campaignDispatches, campaigns } from './campaigns.table.ts'
import { tellCampaign } from './campaigns.tell.ts'
import { plannedAt } from './campaigns.turns.ts'

/**
 * Makes a campaign without people, in the caller's name. Refuses with ERR_NO_PERMISSION where there are no campaigns,
 * ERR_NOT_FOUND for its setup, what `writeMessages` refuses, and ERR_BAD_REQUEST for a time out of reach.
 */
export const addCampaign = (scope: Scope, input: CampaignChange, files: StoredFile[]): Promise<Campaign> =>
  scope.transaction(async tx => {
    await askCampaigns(tx)
    await findCampaignSetup(tx, input.campaignSetupId)
    const id = await insert(tx, {
      name: input.name,
      setupId: input.campaignSetupId,
      userId: tx.viewer?.id ?? null,
      ...(await planned(tx, input.schedule)),
    })
    await writeMessages(tx, id, input, files)
    return tellCampaign(tx, id, 'create')
  })

/**
 * Makes a whole campaign in the name of its setup's owner; without a time it begins as the setup says (OP-93). Refuses
 * like `addCampaign` and `addRecipients`, and with ERR_BAD_REQUEST when nobody is left to write to.
 */
export const addWhole = (
  scope: Scope,
  setupId: string,
  input: CampaignInput,
  files: StoredFile[],
): Promise<Campaign> =>
  scope.transaction(async tx => {
    await askCampaigns(tx)
    const setup = await findCampaignSetup(tx, setupId)
    const { name, myId, myDetails } = input
    const id = await insert(tx, {
      name,
      setupId,
      userId: setup.userId,
      ...(myId !== undefined && { myId }),
      ...(myDetails !== undefined && { myDetails }),
      ...(await planned(tx, input.schedule)),
    })
    await writeMessages(tx, id, input, files)
    const { added, faults } = await takeIn(tx, id, input)
    if (added === 0)
      refuse('ERR_BAD_REQUEST', {
        field: 'sendList',
        message: 'Adicione ao menos um contato',
        details: { faults },
      })
    const campaign = await lookAt(tx, id)
    if (campaign.status === 'created' && setup.autoStart) await beginBySelf(tx, campaign)
    return tellCampaign(tx, id, 'create')
  })

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
    const { name, campaignSetupId, messages, schedule } = input
    const isOther = campaignSetupId !== undefined && campaignSetupId !== before.setupId
    // what began says the same to everybody
    if (before.initialized && (isOther || messages)) refuse('ERR_CAMPAIGN_RUNNING')
    if (isOther) await findCampaignSetup(tx, campaignSetupId)
    const again = schedule === undefined ? {} : await replanned(tx, before, schedule)
    const fields = {
      ...(name !== undefined && { name }),
      ...(isOther && { setupId: campaignSetupId }),
      ...again,
    }
    if (Object.keys(fields).length > 0) await updateCampaign(tx, campaignId, fields)
    if (messages) await writeMessages(tx, campaignId, { messages, greeting: input.greeting }, files)
    return tellCampaign(tx, campaignId)
  })

/** Deletes a campaign; what has not left never leaves. Refuses with ERR_NOT_FOUND and ERR_NO_PERMISSION. */
export const removeCampaign = (scope: Scope, campaignId: number): Promise<void> =>
  scope.transaction(async tx => {
    await holdUnsent(tx, campaignId)
    await lockManagedCampaign(tx, campaignId)
    await takeBack(tx, campaignId)
    const files = (await messagesOf(tx, campaignId)).flatMap(({ mediaUrl }) => mediaUrl ?? [])
    await tx.sql.delete(campaigns).where(own(tx, campaignId))
    await removeFiles(tx, files)
    tx.emit(campaignsChanged, { action: 'delete', campaignId })
  })

/** Takes one person out; what left stays, what has not never leaves. Refuses with ERR_NOT_FOUND and ERR_NO_PERMISSION. */
export const removeDispatch = (scope: Scope, dispatchId: number): Promise<void> =>
  scope.transaction(async tx => {
    const found = await campaignOf(tx, dispatchId)
    await takeBackRest(tx, dispatchId)
    const { campaignId } = (await lockDispatch(tx, dispatchId)) ?? missing()
    await lockManagedCampaign(tx, found)
    const [gone] = await tx.sql
      .delete(campaignDispatches)
      .where(and(eq(campaignDispatches.companyId, tx.companyId), eq(campaignDispatches.id, dispatchId)))
      .returning()
    const campaign = await countPeople(tx, campaignId, { total: -1, ...uncounted(gone!) })
    if (!(await finishIfOver(tx, campaign))) await tellCampaign(tx, campaignId)
  })

const missing = () => refuse('ERR_NOT_FOUND', { field: 'dispatchId' })

async function campaignOf(tx: Tx, dispatchId: number): Promise<number> {
  const [row] = await tx.sql
    .select({ campaignId: campaignDispatches.campaignId })
    .from(campaignDispatches)
    .where(and(eq(campaignDispatches.companyId, tx.companyId), eq(campaignDispatches.id, dispatchId)))
  return row?.campaignId ?? missing()
}

/** Who goes is counted nowhere any more. */
function uncounted({ status, ack, answeredAt, optedOut }: typeof campaignDispatches.$inferSelect) {
  const names = { sending: 'sending', sent: 'sent', sentFail: 'failed', pending: null } as const
  const name = names[status]
  return {
    ...(name && { [name]: -1 }),
    delivered: ack >= 3 ? -1 : 0,
    read: ack >= 4 ? -1 : 0,
    answered: answeredAt ? -1 : 0,
    optedOut: optedOut ? -1 : 0,
  }
}

async function insert(
  tx: Tx,
  values: Omit<typeof campaigns.$inferInsert, 'companyId' | 'id'>,
): Promise<number> {
  const [row] = await tx.sql
    .insert(campaigns)
    .values({ ...values, companyId: tx.companyId })
    .returning({ id: campaigns.id })
  return row!.id
}

type Planned = Pick<CampaignRow, 'schedule' | 'status'>

/** With a time it waits for it; without it waits for somebody. */
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

/** A campaign that rests may get a time to go on at; one that runs only forgets what its time was. */
async function replanned(tx: Tx, before: CampaignRow, schedule: string | null): Promise<Partial<Planned>> {
  if (schedule && before.status === 'start') return refuse('ERR_CAMPAIGN_RUNNING', { field: 'schedule' })
  const next = await planned(tx, schedule)
  if (schedule) return { ...next, ...(await askReady(tx, before)) }
  if (before.status !== 'scheduled') return { schedule: null }
  return { schedule: null, status: before.initialized ? 'pause' : 'created' }
}

async function askReady(tx: Tx, { setupId }: CampaignRow) {
  if (setupId === null) return refuse('ERR_CAMPAIGN_NO_SETUP', { field: 'campaignSetupId' })
  await findCampaignSetup(tx, setupId)
  return {}
}
