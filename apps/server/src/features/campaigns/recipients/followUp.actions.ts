import type { Campaign, CampaignStatus, FollowUp } from '@balcao/contract/campaignShapes.ts'
import { phoneKey } from '@balcao/contract/contacts.rules.ts'
import { cut } from '@balcao/contract/cut.rules.ts'
import { refuse } from '../../../platform/errors.ts'
import type { Scope } from '../../../platform/scope.ts'
import { numberMeant } from '../../contacts/contacts.numbers.actions.ts'
import { removedCounts } from '../campaigns.actions.ts'
import { clockSet, publishCampaign } from '../campaigns.events.ts'
import {
  campaignOfDispatch,
  countPeople,
  deleteDispatch,
  findCampaign,
  followUpsOf,
  insertCampaign,
  lockDispatch,
  lockManagedCampaign,
  messagesOf,
  replaceMessages,
} from '../campaigns.queries.ts'
import { wakeClocks } from '../run/outcome.queries.ts'
import { insertFrom, ofCampaign, rowsGiven } from './recipients.queries.ts'

const MAX_NAME = 100

const waits: CampaignStatus[] = ['created', 'scheduled']

/**
 * Makes a campaign of the caller with the messages of a finished one, for some of its people. One that waits to be started is
 * returned instead: the finished campaign is locked, so that two calls make one. Refuses with ERR_NOT_FOUND,
 * ERR_NO_PERMISSION, ERR_CAMPAIGN_NOT_FINALIZED, and ERR_CAMPAIGN_EMPTY without people.
 */
export const followUp = (scope: Scope, campaignId: number, whom: FollowUp): Promise<Campaign> =>
  scope.transaction(async tx => {
    const { name, setupId, standIns, status } = await lockManagedCampaign(tx, campaignId)
    if (status !== 'finalized') return refuse('ERR_CAMPAIGN_NOT_FINALIZED')
    const made = await followUpsOf(tx, campaignId)
    const waiting = made.find(one => one.followsWhom === whom && waits.includes(one.status))
    if (waiting) return findCampaign(tx, waiting.id)
    const mark = ` (${made.length + 2})`
    const id = await insertCampaign(tx, {
      name: `${cut(name, MAX_NAME - mark.length)}${mark}`,
      setupId,
      userId: tx.viewer?.id ?? null,
      status: 'created',
      standIns,
      followsId: campaignId,
      followsWhom: whom,
    })
    const messages = await messagesOf(tx, campaignId)
    await replaceMessages(
      tx,
      id,
      messages.map(({ id: _id, companyId: _company, campaignId: _campaign, ...message }) => message),
    )
    const { added, optedOut } = await insertFrom(tx, id, ofCampaign(tx, campaignId, whom))
    if (added - optedOut === 0) return refuse('ERR_CAMPAIGN_EMPTY')
    await countPeople(tx, id, { total: added, failed: optedOut })
    return publishCampaign(tx, id, 'create')
  })

/**
 * Corrects a recipient that waits or failed: a new row takes its place, so that its messages have ids of their own. Refuses
 * with ERR_NOT_FOUND, ERR_NO_PERMISSION, ERR_CAMPAIGN_FINALIZED, ERR_DISPATCH_SENT, ERR_DISPATCH_TWICE, and ERR_BAD_REQUEST
 * for an invalid number.
 */
export const mendDispatch = (
  scope: Scope,
  dispatchId: number,
  given: { number: string; name?: string | undefined },
): Promise<Campaign> =>
  scope.transaction(async tx => {
    const campaignId = (await campaignOfDispatch(tx, dispatchId)) ?? missing()
    const before = (await lockDispatch(tx, dispatchId)) ?? missing()
    const { status } = await lockManagedCampaign(tx, campaignId)
    if (status === 'finalized') return refuse('ERR_CAMPAIGN_FINALIZED')
    if (before.status !== 'pending' && before.status !== 'sentFail') return refuse('ERR_DISPATCH_SENT')
    const number = await numberMeant(tx, given.number)
    const key = phoneKey(number)
    const row = { name: given.name ?? before.name, number, key, row_values: before.values }
    const removed = removedCounts(await deleteDispatch(tx, dispatchId))
    const { added, optedOut } = await insertFrom(tx, campaignId, rowsGiven([row]))
    if (added === 0) return refuse('ERR_DISPATCH_TWICE', { field: 'number' })
    await countPeople(tx, campaignId, { ...removed, failed: removed.failed + optedOut })
    if (status === 'start') {
      await wakeClocks(tx, campaignId)
      tx.emit(clockSet, {})
    }
    return publishCampaign(tx, campaignId)
  })

const missing = () => refuse('ERR_NOT_FOUND', { field: 'dispatchId' })
