import type { WaitReason } from '@balcao/contract/campaignShapes.ts'
import { type Cap, dayCapOf, gapsOf, nextDeparture, opensAt } from '@balcao/contract/campaigns.rules.ts'
import { together } from '../../../platform/postgres/db.ts'
import type { Scope, Tx } from '../../../platform/scope.ts'
import { type RowTools, workOff } from '../../../platform/work/due-rows.ts'
import { findCampaignSetup } from '../../campaignSetups/campaignSetups.queries.ts'
import { campaignPlan } from '../../companies/companies.queries.ts'
import { publishDispatch } from '../campaigns.events.ts'
import {
  type CampaignRow,
  countPeople,
  findCampaignRow,
  messagesOf,
  updateCampaign,
  updateDispatch,
} from '../campaigns.queries.ts'
import { type CampaignSender, type PostedMessages, postMessages } from './message.actions.ts'
import { noteDeparture } from './outcome.queries.ts'
import {
  type Clock,
  campaignsOn,
  claimClock,
  clocksDue,
  companyClock,
  connectionState,
  dayCapCounted,
  forgetDepartures,
  hourCapOf,
  insertPosts,
  instantAt,
  isSending,
  lockHourCap,
  lockLost,
  nextRecipient,
  plannedCampaigns,
  setClock,
} from './run.queries.ts'
import { beginPlanned, finishIfOver, isTooLate, pauseBySelf } from './status.actions.ts'

/** Rows of one query. */
const AT_ONCE = 100

/** The outcome of a message wakes the clock; this interval only covers a lost wake-up. */
const LOOK_AGAIN_MS = 5_000

const OPENING_MS = 2_000

/** Longest wait for a cap: recipients may be removed meanwhile. */
const LONGEST_MS = 60_000

/** Recipients without a valid message that one commit marks as failed. */
const PASSED_OVER = 200

/** Starts planned campaigns and sends over the connections that are due, one commit each. True when more may be due. */
export async function sendDueCampaigns(tools: RowTools): Promise<boolean> {
  const moreBegin = await workOff(tools, {
    name: 'campaigns.planned',
    atOnce: AT_ONCE,
    find: plannedCampaigns,
    run: (scope, { id }) => beginPlanned(scope, id),
  })
  const moreSend = await workOff(tools, {
    name: 'campaigns.clocks',
    atOnce: AT_ONCE,
    find: clocksDue,
    run: (scope, { whatsappId }) => runTurn(scope, whatsappId),
  })
  return moreBegin || moreSend
}

/** One connection, one commit: the next recipient gets its messages, or the time of the next look is set. False when another worker has it. */
const runTurn = (scope: Scope, whatsappId: number): Promise<boolean> =>
  scope.transaction(async tx => {
    const clock = await claimClock(tx, whatsappId)
    if (!clock) return false
    await setClock(tx, whatsappId, { lookAt: await nextLook(tx, whatsappId, clock) })
    return true
  })

/** Returns when to look at the connection again (ms); null when there is nothing to send. */
async function nextLook(tx: Tx, whatsappId: number, clock: Clock): Promise<number | null> {
  if (await isSending(tx, whatsappId)) {
    await giveUpLost(tx, whatsappId)
    const connection = await connectionState(tx, whatsappId)
    if (connection.restrictedUntil > clock.now)
      for (const { id } of await campaignsOn(tx, whatsappId)) await rest(tx, id, connection, clock.now)
    return clock.now + LOOK_AGAIN_MS
  }
  const [campaigns, connection, , , { most, isInPlan }] = await together(
    tx.sql,
    () => campaignsOn(tx, whatsappId),
    () => connectionState(tx, whatsappId),
    () => lockHourCap(tx),
    () => forgetDepartures(tx),
    () => campaignPlan(tx),
  )
  if (campaigns.length === 0) return null
  if (!isInPlan) {
    for (const { id } of campaigns) await pauseBySelf(tx, id, 'plan', '')
    return null
  }
  const late = campaigns.filter(({ waitsUntil }) => isTooLate(waitsUntil, clock.now))
  for (const { id } of late) await pauseBySelf(tx, id, 'late', '')
  if (late.length > 0) return clock.now
  if (connection.state !== 'connected') return waitForConnection(tx, campaigns, connection, clock.now)
  const hour = await hourCapOf(tx, most, clock.now)
  let next: number | null = null
  for (const campaign of campaigns) {
    const at = await sendOver(tx, { campaign, connection, clock, hour })
    if (at === 'served') return clock.now + LOOK_AGAIN_MS
    if (at !== null) next = Math.min(next ?? at, at)
  }
  return next
}

type Connection = Awaited<ReturnType<typeof connectionState>>

/** Waits for a connection that is opening; pauses campaigns that no other connection can send. */
async function waitForConnection(tx: Tx, campaigns: CampaignRow[], connection: Connection, now: number) {
  for (const { id, setupId, waitReason } of campaigns) {
    const { whatsapps } = await findCampaignSetup(tx, setupId!)
    const others = whatsapps.filter(one => one.status === 'CONNECTED' || one.status === 'OPENING')
    if (others.length === 0) await pauseBySelf(tx, id, 'disconnected', connection.name)
    // set once: its age decides when the campaign is too late
    else if (waitReason !== 'connection' && !others.some(({ status }) => status === 'CONNECTED'))
      await waits(tx, id, 'connection', now + OPENING_MS)
  }
  return connection.state === 'opening' ? now + OPENING_MS : now + LONGEST_MS
}

interface Opportunity {
  campaign: CampaignRow
  connection: Connection
  clock: Clock
  hour: Cap
}

/** `served`: a recipient is `sending` now. Else when the campaign may go on over this connection (ms); null when it is over. */
async function sendOver(
  tx: Tx,
  { campaign, connection, clock, hour }: Opportunity,
): Promise<number | 'served' | null> {
  if (connection.restrictedUntil > clock.now) return rest(tx, campaign.id, connection, clock.now)
  if (connection.quality === 'RED') {
    await pauseBySelf(tx, campaign.id, 'quality', connection.name)
    return null
  }
  const [setup, { shown, inMs }, messages] = await together(
    tx.sql,
    () => findCampaignSetup(tx, campaign.setupId!),
    () => companyClock(tx),
    () => messagesOf(tx, campaign.id),
  )
  if (messages.length === 0) {
    await pauseBySelf(tx, campaign.id, 'empty', '')
    return null
  }
  const opens = opensAt(setup, shown)
  if (opens !== null) return waits(tx, campaign.id, 'window', clock.now + (await inMs(opens)))
  const day = await dayCapCounted(
    tx,
    connection.id,
    dayCapOf(connection.lib, connection.linkedAt, clock.now, { warmUp: setup.warmUp }),
  )
  const { at, waits: why } = nextDeparture(clock.now, clock.freeAt, [hour, day])
  if (at > clock.now) {
    await waits(tx, campaign.id, why!, at)
    return why === 'gap' ? at : Math.min(at, clock.now + LONGEST_MS)
  }
  const sender: CampaignSender = {
    whatsappId: connection.id,
    lib: connection.lib,
    setup,
    messages,
    userId: campaign.userId,
    standIns: campaign.standIns,
  }
  return writeToNext(tx, campaign.id, sender, clock.now)
}

/** WhatsApp refuses first messages, and counts each try: the campaign waits until it does not. */
async function rest(tx: Tx, campaignId: number, { restrictedUntil }: Connection, now: number) {
  await waits(tx, campaignId, 'restricted', restrictedUntil)
  return Math.min(restrictedUntil, now + LONGEST_MS)
}

/** A recipient that cannot be reached is marked as failed without a pause, since nothing was sent. */
async function writeToNext(
  tx: Tx,
  campaignId: number,
  sender: CampaignSender,
  now: number,
): Promise<number | 'served' | null> {
  for (let passed = 0; passed < PASSED_OVER; passed++) {
    const person = await nextRecipient(tx, campaignId)
    if (!person) {
      await finishIfOver(tx, await findCampaignRow(tx, campaignId))
      return null
    }
    const { withinPair, toNext } = gapsOf(sender.setup, Math.random)
    const cause = `campaign:${tx.companyId}:${person.id}`
    const posted = person.isOptedOut
      ? { reason: 'ERR_OPTED_OUT' }
      : await postMessages(tx, sender, person, { cause, now, withinMs: withinPair })
    if ('reason' in posted) await passOver(tx, campaignId, person.id, posted.reason, now)
    else {
      const freeAt = now + (posted.posts.length > 1 ? withinPair : 0) + toNext
      const { whatsappId } = sender
      await recordSending(tx, { campaignId, dispatchId: person.id, whatsappId, posted, now, freeAt })
      return 'served'
    }
  }
  return now
}

async function passOver(tx: Tx, campaignId: number, dispatchId: number, reason: string, now: number) {
  await updateDispatch(tx, dispatchId, { status: 'sentFail', reason, schedule: instantAt(now) })
  await countPeople(tx, campaignId, { failed: 1 })
  await publishDispatch(tx, campaignId, dispatchId)
}

interface Sending {
  campaignId: number
  dispatchId: number
  whatsappId: number
  posted: PostedMessages
  now: number
  freeAt: number
}

/** The recipient is `sending`: its messages are recorded and the pause of the connection begins. */
async function recordSending(tx: Tx, { campaignId, dispatchId, whatsappId, posted, now, freeAt }: Sending) {
  const { posts, ...texts } = posted
  const rows = posts.map((one, place) => ({
    ...one,
    dispatchId,
    place,
    isLast: place === posts.length - 1,
  }))
  const schedule = instantAt(now)
  const waits = { waitReason: 'gap', waitsUntil: instantAt(freeAt) } as const
  await together(
    tx.sql,
    () => insertPosts(tx, rows),
    () => updateDispatch(tx, dispatchId, { ...texts, status: 'sending', whatsappId, schedule }),
    () => setClock(tx, whatsappId, { freeAt }),
    () => countPeople(tx, campaignId, { sending: 1 }, { servedAt: schedule, ...waits }),
  )
  await publishDispatch(tx, campaignId, dispatchId)
}

/** Stores why the campaign waits and until when, for the screen. Returns `until`. */
async function waits(tx: Tx, campaignId: number, waitReason: WaitReason, until: number): Promise<number> {
  await updateCampaign(tx, campaignId, { waitReason, waitsUntil: instantAt(until) })
  return until
}

/** Recipients that are `sending` without a message in the outbox fail: the conversation or the message was deleted, or they opted out. */
async function giveUpLost(tx: Tx, whatsappId: number): Promise<void> {
  const lost = await lockLost(tx, whatsappId)
  for (const person of lost) {
    const reason = person.optedOut ? 'ERR_OPTED_OUT' : 'ERR_FETCH_WAPP_MSG'
    await updateDispatch(tx, person.id, { status: 'sentFail', reason })
    const campaign = await countPeople(tx, person.campaignId, { sending: -1, failed: 1 })
    await noteDeparture(tx, person.id, whatsappId)
    await publishDispatch(tx, person.campaignId, person.id)
    await finishIfOver(tx, campaign)
  }
}
