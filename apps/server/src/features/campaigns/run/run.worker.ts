import type { WaitReason } from '@balcao/contract/campaignShapes.ts'
import { type Cap, dayCapOf, gapsOf, nextDeparture, opensAt } from '@balcao/contract/campaigns.rules.ts'
import { together } from '../../../platform/postgres/db.ts'
import type { Scope, Tx } from '../../../platform/scope.ts'
import { type RowTools, workOff } from '../../../platform/work/due-rows.ts'
import { findCampaignSetup } from '../../campaignSetups/campaignSetups.queries.ts'
import { campaignPlan } from '../../companies/companies.queries.ts'
import { type CampaignRow, findCampaignRow, messagesOf, updateCampaign } from '../campaigns.queries.ts'
import { type CampaignSender, type PostedMessages, postMessages } from './message.actions.ts'
import { noteDeparture } from './outcome.queries.ts'
import {
  type Clock,
  campaignsOn,
  claimClock,
  clocksDue,
  companyClock,
  connectionStateOrNull,
  dayCapCounted,
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
import { beginPlanned, changeDispatch, finishIfOver, isTooLate, pauseBySelf } from './status.actions.ts'

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
    const [clock, sending, connection] = await together(
      tx.sql,
      () => claimClock(tx, whatsappId),
      () => isSending(tx, whatsappId),
      () => connectionStateOrNull(tx, whatsappId),
    )
    if (!clock || !connection) return false
    const lookAt = sending ? await lookBehind(tx, connection, clock) : await nextLook(tx, connection, clock)
    if (lookAt !== 'served') await setClock(tx, whatsappId, { lookAt })
    return true
  })

/** A recipient is `sending`: only what was lost is looked for. */
async function lookBehind(tx: Tx, connection: Connection, clock: Clock): Promise<number> {
  await giveUpLost(tx, connection.id)
  if (connection.restrictedUntil > clock.now)
    for (const { id } of await campaignsOn(tx, connection.id)) await rest(tx, id, connection, clock.now)
  return clock.now + LOOK_AGAIN_MS
}

/** Returns when to look at the connection again (ms), null when there is nothing to send, `served` where that is written already. */
async function nextLook(tx: Tx, connection: Connection, clock: Clock): Promise<number | 'served' | null> {
  const [campaigns, , { most, isInPlan }, local] = await together(
    tx.sql,
    () => campaignsOn(tx, connection.id),
    () => lockHourCap(tx),
    () => campaignPlan(tx),
    () => companyClock(tx),
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
    const at = await sendOver(tx, { campaign, connection, clock, hour, local })
    if (at === 'served') return at
    if (at !== null) next = Math.min(next ?? at, at)
  }
  return next
}

type Connection = NonNullable<Awaited<ReturnType<typeof connectionStateOrNull>>>

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
  local: Awaited<ReturnType<typeof companyClock>>
}

/** `served`: a recipient is `sending` now. Else when the campaign may go on over this connection (ms); null when it is over. */
async function sendOver(
  tx: Tx,
  { campaign, connection, clock, hour, local: { shown, inMs } }: Opportunity,
): Promise<number | 'served' | null> {
  if (connection.restrictedUntil > clock.now) return rest(tx, campaign.id, connection, clock.now)
  if (connection.quality === 'RED') {
    await pauseBySelf(tx, campaign.id, 'quality', connection.name)
    return null
  }
  const [setup, messages, person] = await together(
    tx.sql,
    () => findCampaignSetup(tx, campaign.setupId!),
    () => messagesOf(tx, campaign.id),
    () => nextRecipient(tx, campaign.id),
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
  return writeToNext(tx, campaign.id, sender, { first: person, now: clock.now })
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
  { first, now }: { first: Awaited<ReturnType<typeof nextRecipient>>; now: number },
): Promise<number | 'served' | null> {
  for (let passed = 0; passed < PASSED_OVER; passed++) {
    const person = passed === 0 ? first : await nextRecipient(tx, campaignId)
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
  await changeDispatch(
    tx,
    { id: dispatchId, campaignId },
    { set: { status: 'sentFail', reason, schedule: instantAt(now) }, counts: { failed: 1 } },
  )
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
  await changeDispatch(
    tx,
    { id: dispatchId, campaignId },
    {
      set: { ...texts, status: 'sending', whatsappId, schedule },
      counts: { sending: 1 },
      campaign: { servedAt: schedule, ...waits },
      beside: [
        () => insertPosts(tx, rows),
        // the outcome wakes it
        () => setClock(tx, whatsappId, { freeAt, lookAt: now + LOOK_AGAIN_MS }),
      ],
    },
  )
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
    const campaign = await changeDispatch(tx, person, {
      set: { status: 'sentFail', reason },
      counts: { sending: -1, failed: 1 },
      beside: [() => noteDeparture(tx, person.id, whatsappId)],
    })
    await finishIfOver(tx, campaign)
  }
}
