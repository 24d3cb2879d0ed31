import { longestPause } from '@balcao/contract/campaigns.rules.ts'
import { databaseNow } from '../../platform/clock.ts'
import { refuse } from '../../platform/errors.ts'
import { within } from '../../platform/events.ts'
import { filesAsked } from '../../platform/files/served.ts'
import type { Tx } from '../../platform/scope.ts'
import { setupLeaving, setupMoved, setupRenewed } from '../campaignSetups/campaignSetups.events.ts'
import { setupOrNull, setupsOf } from '../campaignSetups/campaignSetups.queries.ts'
import { companyChanged } from '../companies/companies.events.ts'
import { connectionLeaving, connectionRestricted } from '../connections/connections.events.ts'
import { contactsParting } from '../contactMerges/contactMerges.events.ts'
import { contactDeleting, contactExported, contactsMerging } from '../contacts/contacts.events.ts'
import { looksUp } from '../messages/inbound/lookups.queries.ts'
import { responds } from '../messages/inbound/responders.actions.ts'
import { customerWrote, messagesSettled } from '../messages/messages.events.ts'
import { contactOptedOut } from '../optOuts/optOuts.events.ts'
import { belongingsAsked, userDeleting } from '../users/users.events.ts'
import { clockSet, publishCampaign } from './campaigns.events.ts'
import {
  activeCampaignsOf,
  blankDispatches,
  campaignFiles,
  campaignNeeding,
  detachSetup,
  exportDispatchesOf,
  followSetup,
  type Leaving,
  lockDispatchesOf,
  moveCampaigns,
  moveDispatches,
  partDispatches,
} from './campaigns.owners.queries.ts'
import { countPeople, filesInCampaigns } from './campaigns.queries.ts'
import { onCampaignAnswer, onChosenQueue, onOptOut, settlePosts } from './run/outcome.actions.ts'
import { reachedLookup, runningWith, shortenPauses, wakeClocks } from './run/outcome.queries.ts'
import { campaignsOn, setClock } from './run/run.queries.ts'
import { finishIfOver, pauseBySelf } from './run/status.actions.ts'

export const reacts = [
  ...campaignFiles,

  within(messagesSettled, (tx, { messages }) => settlePosts(tx, messages)),
  looksUp(reachedLookup),
  responds('campaigns', onChosenQueue),
  within(customerWrote, onCampaignAnswer),
  within(contactOptedOut, (tx, { contactId, whatsappId }) => onOptOut(tx, contactId, whatsappId)),
  within(setupMoved, (tx, { setupId }) => followChange(tx, setupId)),
  within(companyChanged, tx => followChange(tx, null)),
  within(setupLeaving, (tx, { setupId }) => releaseSetup(tx, setupId)),
  within(setupRenewed, followSetup),
  within(connectionLeaving, (tx, { whatsappId }) => loseConnection(tx, whatsappId)),
  within(connectionRestricted, async (tx, { whatsappId }) => {
    await setClock(tx, whatsappId, { lookAt: databaseNow() })
    tx.emit(clockSet, {})
  }),
  within(contactDeleting, forgetInCampaigns),
  within(contactExported, async (tx, { data, ...person }) => {
    data.campaigns = await exportDispatchesOf(tx, person)
  }),
  within(contactsMerging, (tx, { from, into }) => moveDispatches(tx, from, into)),
  within(contactsParting, (tx, { from, into }) => partDispatches(tx, from, into)),
  within(userDeleting, (tx, { userId, heirId }) => bequeathCampaigns(tx, userId, heirId)),
  within(belongingsAsked, async (tx, { userId, found }) => {
    found.push({ kind: 'campaigns', ...(await activeCampaignsOf(tx, userId)) })
  }),
  within(filesAsked, async (tx, { addresses, named }) => {
    for (const address of await filesInCampaigns(tx, addresses)) named.add(address)
  }),
]

/** Running campaigns use the changed setup, or the changed plan, at once: what they wait for is decided anew. */
async function followChange(tx: Tx, changed: string | null): Promise<void> {
  const running = await runningWith(tx, changed)
  for (const { id, setupId } of running) {
    const setup = await setupOrNull(tx, setupId)
    if (setup) await shortenPauses(tx, id, longestPause(setup))
    await wakeClocks(tx, id)
    await publishCampaign(tx, id)
  }
  if (running.length > 0) tx.emit(clockSet, {})
}

/** Refuses with ERR_SETUP_IN_USE while a campaign with it is planned, runs or is paused; others lose it. */
async function releaseSetup(tx: Tx, setupId: string): Promise<void> {
  const campaignId = await campaignNeeding(tx, setupId)
  if (campaignId !== null) refuse('ERR_SETUP_IN_USE', { details: { campaignId } })
  await detachSetup(tx, setupId)
}

/** Pauses campaigns that have no other connection. */
async function loseConnection(tx: Tx, whatsappId: number): Promise<void> {
  const running = await campaignsOn(tx, [whatsappId])
  const setups = await setupsOf(
    tx,
    running.flatMap(({ setupId }) => setupId ?? []),
  )
  for (const { id, setupId } of running) {
    const connections = setups.get(setupId ?? '')?.whatsapps ?? []
    const lost = connections.find(connection => connection.id === whatsappId)
    if (connections.length <= 1) await pauseBySelf(tx, id, 'disconnected', lost?.name ?? '')
  }
}

/** Campaigns of a removed user go to the heir; without one planned and running ones pause. */
async function bequeathCampaigns(tx: Tx, userId: number, heirId: number | null): Promise<void> {
  const moved = await moveCampaigns(tx, userId, heirId)
  if (heirId !== null) return
  for (const { id, status } of moved)
    if (status === 'scheduled' || status === 'start') await pauseBySelf(tx, id, 'ownerLeft', '')
}

/**
 * Erases a contact from lists of recipients; the counts stay. Pending ones fail. For `sending` ones the clock is due now: their
 * messages are deleted with the ticket, so no outcome will wake it.
 */
async function forgetInCampaigns(tx: Tx, leaving: Leaving): Promise<void> {
  const theirs = await lockDispatchesOf(tx, leaving)
  if (theirs.length === 0) return
  await blankDispatches(
    tx,
    theirs.map(({ id }) => id),
  )
  for (const [campaignId, people] of Map.groupBy(theirs, one => one.campaignId)) {
    const cancelled = people.filter(({ status }) => status === 'pending').length
    const campaign = await countPeople(tx, campaignId, { failed: cancelled })
    if (!(await finishIfOver(tx, campaign))) await publishCampaign(tx, campaignId)
  }
  const busy = theirs.flatMap(({ status, whatsappId }) => (status === 'sending' ? (whatsappId ?? []) : []))
  for (const whatsappId of new Set(busy)) await setClock(tx, whatsappId, { lookAt: databaseNow() })
  if (busy.length > 0) tx.emit(clockSet, {})
}
