import type { Forecast, Preview } from '@balcao/contract/campaignPeople.ts'
import { dayCapOf, endsAt, ratePerHour } from '@balcao/contract/campaigns.rules.ts'
import { refuse } from '../../platform/errors.ts'
import type { Tx } from '../../platform/scope.ts'
import { and, asc, eq, getTableColumns, sql as tag } from '../../platform/sql.ts'
import { findCampaignSetup } from '../campaignSetups/campaignSetups.queries.ts'
import { campaignPlan } from '../companies/companies.queries.ts'
import { momentsOf } from '../schedules/schedules.times.ts'
import { dayCapCounted, hourCapOf } from './campaigns.caps.ts'
import { countsOf, lookAt, messagesOf } from './campaigns.queries.ts'
import { type CampaignVoice, type Recipient, wordsFor } from './campaigns.speak.ts'
import { campaignDispatches } from './campaigns.table.ts'
import { companyClock, lineOf } from './campaigns.turns.ts'

/**
 * How many can be written to, how fast, and when the last one leaves, were it to begin now. Refuses with ERR_NOT_FOUND
 * and ERR_CAMPAIGN_NO_SETUP.
 */
export async function forecastOf(tx: Tx, campaignId: number): Promise<Forecast> {
  const campaign = await lookAt(tx, campaignId)
  if (campaign.setupId === null) return refuse('ERR_CAMPAIGN_NO_SETUP', { field: 'campaignSetupId' })
  const setup = await findCampaignSetup(tx, campaign.setupId)
  const now = Date.now()
  const lines = []
  for (const { id } of setup.whatsapps) lines.push(await lineOf(tx, id))
  const connections = lines.map(({ id, name, state, lib, linkedAt }) => ({
    id,
    name,
    ready: state === 'connected',
    dayCap: dayCapOf(lib, linkedAt, now, setup.warmUp),
  }))
  const { pending } = countsOf(campaign)
  const optedOut = await pendingWho(tx, campaignId, HAS_OPTED_OUT)
  const isOfficial = lines.length > 0 && lines.every(({ lib }) => lib === 'cloud')
  const needsTemplate = isOfficial && !(await messagesOf(tx, campaignId)).every(({ template }) => template)
  const needTemplate = needsTemplate ? await pendingWho(tx, campaignId, IS_SILENT) : 0
  const reachable = Math.max(0, pending - optedOut - needTemplate)
  const numbers = []
  for (const { id, dayCap, ready } of connections)
    if (ready) numbers.push({ dayCap, dayUsed: (await dayCapCounted(tx, id, dayCap)).left.length })
  const { most: hourCap } = await campaignPlan(tx)
  const hourUsed = (await hourCapOf(tx, hourCap, now)).left.length
  const { shown } = await companyClock(tx)
  const outlook = { people: reachable, numbers, pace: setup, hourCap, hourUsed, hours: setup, shown }
  const ends = endsAt(outlook)
  return {
    recipients: pending,
    reachable,
    optedOut,
    needTemplate,
    connections,
    perHour: ratePerHour(outlook),
    hourCap,
    endsAt: ends && (await momentsOf(tx, [ends]))[0]!,
  }
}

const HAS_OPTED_OUT = tag`exists (select from opt_outs o where o.company_id = campaign_dispatches.company_id
  and o.key = campaign_dispatches.key)`

/** Nobody whom only a template may be written to now: over the official API, a day after the last word. */
const IS_SILENT = tag`not exists (select from contact_identifiers i join tickets t
  on t.company_id = i.company_id and t.contact_id = i.contact_id
  where i.company_id = campaign_dispatches.company_id and i.kind = 'phone' and i.value = campaign_dispatches.key
    and t.replies_until > now())`

async function pendingWho(tx: Tx, campaignId: number, condition: ReturnType<typeof tag>): Promise<number> {
  const [row] = await tx.sql
    .select({ count: tag<number>`count(*)::int` })
    .from(campaignDispatches)
    .where(and(pendingOf(tx, campaignId), condition))
  return row!.count
}

const pendingOf = (tx: Tx, campaignId: number) =>
  and(
    eq(campaignDispatches.companyId, tx.companyId),
    eq(campaignDispatches.campaignId, campaignId),
    eq(campaignDispatches.status, 'pending'),
  )

const SHOWN = 5

/** What the next people of the list would get. Refuses with ERR_NOT_FOUND and ERR_CAMPAIGN_NO_SETUP. */
export async function previewsOf(tx: Tx, campaignId: number): Promise<Preview[]> {
  const voice = await voiceOf(tx, campaignId)
  if (voice.messages.length === 0) return []
  const isSilent = voice.lib === 'cloud' ? IS_SILENT : tag`false`
  const people = await tx.sql
    .select({ ...getTableColumns(campaignDispatches), isSilent: tag<boolean>`${isSilent}` })
    .from(campaignDispatches)
    .where(pendingOf(tx, campaignId))
    .orderBy(asc(campaignDispatches.position))
    .limit(SHOWN)
  const shown: Preview[] = []
  for (const person of people) shown.push(await previewFor(tx, voice, person, person.isSilent))
  return shown
}

/** What one person would get; what is missing stays empty in it. */
async function previewFor(
  tx: Tx,
  voice: CampaignVoice,
  person: Recipient,
  isSilent: boolean,
): Promise<Preview> {
  const words = await wordsFor(tx, voice, person, isSilent)
  const bodyOf = (name: string) => words.told.find(one => one.name === name)?.part.body ?? ''
  const { setup } = voice
  const isTemplate = isSilent && words.message.template !== null
  const offer = !isTemplate && setup.messageFooterType === 'buttons' ? setup.jsonButtonOrList : null
  return {
    dispatchId: person.id,
    name: person.name,
    number: person.number,
    greeting: bodyOf('greeting'),
    message: [bodyOf('message'), bodyOf('buttons')].filter(Boolean).join('\n\n'),
    mediaUrlVt: isTemplate ? null : words.message.mediaUrl,
    buttons: offer?.buttons.map(({ buttonText }) => buttonText.displayText) ?? [],
    missing: words.missing,
  }
}

/** How a campaign speaks over its first connection. Refuses with ERR_NOT_FOUND and ERR_CAMPAIGN_NO_SETUP. */
export async function voiceOf(tx: Tx, campaignId: number, whatsappId?: number): Promise<CampaignVoice> {
  const { setupId, userId } = await lookAt(tx, campaignId)
  if (setupId === null) return refuse('ERR_CAMPAIGN_NO_SETUP', { field: 'campaignSetupId' })
  const setup = await findCampaignSetup(tx, setupId)
  const over = whatsappId ?? setup.whatsapps[0]?.id
  if (over === undefined) return refuse('ERR_CAMPAIGN_NO_SETUP', { field: 'campaignSetupId' })
  const { lib } = await lineOf(tx, over)
  return { whatsappId: over, lib, setup, messages: await messagesOf(tx, campaignId), userId }
}
