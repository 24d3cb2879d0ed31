import { randomInt, randomUUID } from 'node:crypto'
import type { Forecast, Preview } from '@balcao/contract/campaignPeople.ts'
import type { CampaignSetup } from '@balcao/contract/campaignSetups.ts'
import { dayCapOf, endsAt, ratePerHour } from '@balcao/contract/campaigns.rules.ts'
import { databaseNow } from '../../../platform/clock.ts'
import { refuse } from '../../../platform/errors.ts'
import type { Scope, Tx } from '../../../platform/scope.ts'
import { findCampaignSetup } from '../../campaignSetups/campaignSetups.queries.ts'
import { campaignPlan } from '../../companies/companies.queries.ts'
import { connectionsUnderWay, whyNotUnderWay } from '../../connections/connections.queries.ts'
import { numberMeant } from '../../contacts/contacts.numbers.actions.ts'
import { momentsOf, ownerOf } from '../../schedules/schedules.queries.ts'
import { type CampaignRow, countsOf, findCampaignRow, messagesOf } from '../campaigns.queries.ts'
import {
  type CampaignSender,
  postMessages,
  type Recipient,
  readyFor,
  textsFor,
} from '../run/message.actions.ts'
import { companyClock, connectionState, dayCapCounted, hourCapOf } from '../run/run.queries.ts'
import { leftOutOf, placesAsked } from '../run/written.rules.ts'
import { firstRecipient, nextPending, pendingGroups } from './pending.queries.ts'

/** How many can be reached, how fast, and when the last message would be sent if it started now. Refuses with ERR_NOT_FOUND, ERR_CAMPAIGN_NO_SETUP. */
export async function forecastOf(tx: Tx, campaignId: number): Promise<Forecast> {
  const campaign = await findCampaignRow(tx, campaignId)
  if (campaign.setupId === null) return refuse('ERR_CAMPAIGN_NO_SETUP', { field: 'campaignSetupId' })
  const setup = await findCampaignSetup(tx, campaign.setupId)
  const now = databaseNow()
  const states = []
  for (const { id } of setup.whatsapps) states.push(await connectionState(tx, id))
  const connections = states.map(({ id, name, state, lib, linkedAt }) => ({
    id,
    name,
    ready: state === 'connected',
    dayCap: dayCapOf(lib, linkedAt, now, { warmUp: setup.warmUp }),
  }))
  const { pending } = countsOf(campaign)
  const isOfficial = states.length > 0 && states.every(({ lib }) => lib === 'cloud')
  const out = await leftOut(tx, campaign, setup, isOfficial)
  const reachable = Math.max(0, pending - out.optedOut - out.missing - out.needTemplate)
  const numbers = []
  for (const { id, dayCap, ready } of connections)
    if (ready) numbers.push({ dayCap, dayUsed: (await dayCapCounted(tx, id, dayCap)).left.length })
  const { most: hourCap } = await campaignPlan(tx)
  const hourUsed = (await hourCapOf(tx, hourCap, now, { isShared: false })).left.length
  const { shown } = await companyClock(tx)
  const outlook = { people: reachable, numbers, pace: setup, hourCap, hourUsed, hours: setup, shown }
  const ends = endsAt(outlook)
  return {
    recipients: pending,
    reachable,
    ...out,
    connections,
    perHour: ratePerHour(outlook),
    hourCap,
    endsAt: ends && (await momentsOf(tx, [ends]))[0]!,
  }
}

/** By the rules of sending: texts, choices and values are those that a recipient gets. */
async function leftOut(tx: Tx, campaign: CampaignRow, setup: CampaignSetup, isOfficial: boolean) {
  const messages = await messagesOf(tx, campaign.id)
  const hasOwner = (await ownerOf(tx, campaign.userId)) !== null
  const sending = { setup, messages, standIns: campaign.standIns, hasOwner }
  const places = placesAsked(sending, isOfficial)
  const how = { messages: messages.length, isOfficial, places }
  return leftOutOf(sending, places, await pendingGroups(tx, campaign.id, how))
}

const SHOWN = 5

/** What the next recipients would get. Refuses with ERR_NOT_FOUND and ERR_CAMPAIGN_NO_SETUP. */
export async function previewsOf(tx: Tx, campaignId: number): Promise<Preview[]> {
  const sender = await senderOf(tx, campaignId)
  if (sender.messages.length === 0) return []
  const people = await nextPending(tx, campaignId, { isOfficial: sender.lib === 'cloud' }, SHOWN)
  return people.map(person => previewFor(sender, person, { templateOnly: person.templateOnly }))
}

function previewFor(
  sender: CampaignSender,
  person: Recipient,
  { templateOnly }: { templateOnly: boolean },
): Preview {
  const texts = textsFor(sender, person, { templateOnly })
  const bodyOf = (name: string) => texts.parts.find(one => one.name === name)?.part.body ?? ''
  const { setup } = sender
  const isTemplate = templateOnly && texts.message.template !== null
  const offer = !isTemplate && setup.messageFooterType === 'buttons' ? setup.jsonButtonOrList : null
  return {
    dispatchId: person.id,
    name: person.name,
    number: person.number,
    greeting: bodyOf('greeting'),
    message: [bodyOf('message'), bodyOf('buttons')].filter(Boolean).join('\n\n'),
    mediaUrlVt: isTemplate ? null : texts.message.mediaUrl,
    buttons: offer?.buttons.map(({ buttonText }) => buttonText.displayText) ?? [],
    missing: texts.missing,
  }
}

/** The campaign as a sender, over its first connection unless another is named. Refuses with ERR_NOT_FOUND and ERR_CAMPAIGN_NO_SETUP. */
async function senderOf(tx: Tx, campaignId: number, whatsappId?: number): Promise<CampaignSender> {
  const { setupId, userId, standIns } = await findCampaignRow(tx, campaignId)
  if (setupId === null) return refuse('ERR_CAMPAIGN_NO_SETUP', { field: 'campaignSetupId' })
  const setup = await findCampaignSetup(tx, setupId)
  const over = whatsappId ?? setup.whatsapps[0]?.id
  if (over === undefined) return refuse('ERR_CAMPAIGN_NO_SETUP', { field: 'campaignSetupId' })
  const { lib } = await connectionState(tx, over)
  const messages = await messagesOf(tx, campaignId)
  const signer = (await ownerOf(tx, userId))?.name ?? ''
  const { shown: local } = await companyClock(tx)
  return { whatsappId: over, lib, setup, messages, userId, signer, local, standIns }
}

const EXAMPLE_NAME = 'Maria Souza'

/** The pause between the test messages: they go to one number of the company. */
const WITHIN_MS = 1_000

/**
 * Sends each message of a campaign to one number, uncounted, with the values of its first recipient; without one the variables
 * of a sheet stay empty. Returns how many. Refuses with ERR_NOT_FOUND, ERR_CAMPAIGN_EMPTY, ERR_CAMPAIGN_NO_SETUP,
 * ERR_WAPP_NOT_INITIALIZED, ERR_COMPANY_SUSPENDED, ERR_BAD_REQUEST for an invalid number, ERR_WAPP_INVALID_CONTACT,
 * ERR_WAPP_WINDOW_CLOSED, ERR_CAMPAIGN_VARIABLE.
 */
export const tryCampaign = (scope: Scope, campaignId: number, given: string): Promise<{ sent: number }> =>
  scope.transaction(async tx => {
    const number = await numberMeant(tx, given)
    const { setupId } = await findCampaignRow(tx, campaignId)
    if (setupId === null) return refuse('ERR_CAMPAIGN_NO_SETUP', { field: 'campaignSetupId' })
    const underWay = await connectionsUnderWay(tx)
    const connection = (await findCampaignSetup(tx, setupId)).whatsapps.find(({ id }) =>
      underWay.includes(id),
    )
    if (!connection) return refuse(await whyNotUnderWay(tx))
    const sender = await senderOf(tx, campaignId, connection.id)
    if (sender.messages.length === 0) return refuse('ERR_CAMPAIGN_EMPTY')
    const { name, values } = (await firstRecipient(tx, campaignId)) ?? { name: '', values: {} }
    for (const [position, message] of sender.messages.entries()) {
      const person = { id: randomInt(2 ** 31), position: 0, name: name || EXAMPLE_NAME, number, values }
      const alone = { ...sender, messages: [message] }
      const [ready] = await readyFor(tx, [{ sender: alone, person }])
      if ('reason' in ready!) return refuse(ready.reason, { field: 'number' })
      const leave = { cause: randomUUID(), now: databaseNow() + position, withinMs: WITHIN_MS }
      await postMessages(tx, [{ ...ready!, ...leave }])
    }
    return { sent: sender.messages.length }
  })
