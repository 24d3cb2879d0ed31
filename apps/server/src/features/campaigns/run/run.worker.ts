import type { WaitReason } from '@balcao/contract/campaignShapes.ts'
import { type Cap, dayCapOf, gapsOf, nextDeparture, opensAt } from '@balcao/contract/campaigns.rules.ts'
import { databaseTime } from '../../../platform/clock.ts'
import { together } from '../../../platform/postgres/db.ts'
import type { Scope, Tx } from '../../../platform/scope.ts'
import { type RowTools, workOff } from '../../../platform/work/due-rows.ts'
import { setupsOf } from '../../campaignSetups/campaignSetups.queries.ts'
import { campaignPlan } from '../../companies/companies.queries.ts'
import { type DispatchRow, messagesOfEach, updateCampaign } from '../campaigns.queries.ts'
import { type CampaignSender, type Leave, postMessages, type Ready, readyFor } from './message.actions.ts'
import { insertDepartures } from './outcome.queries.ts'
import {
  campaignsOn,
  claimLines,
  clocksDue,
  companyClock,
  type DueConnection,
  dayCapCounted,
  hourCapOf,
  insertPosts,
  instantAt,
  lockLost,
  type NextRecipient,
  nextRecipients,
  plannedCampaigns,
  setClocks,
} from './run.queries.ts'
import {
  addCounts,
  beginPlanned,
  type CampaignChanges,
  changeDispatch,
  changePeople,
  finishIfOver,
  isTooLate,
  pauseBySelf,
} from './status.actions.ts'

/** Rows of one query, and most connections that one commit serves. */
const AT_ONCE = 50

/** The outcome of a message wakes the clock; this interval only covers a lost wake-up. */
const LOOK_AGAIN_MS = 5_000

const OPENING_MS = 2_000

/** Longest wait for a cap: recipients may be removed meanwhile. */
const LONGEST_MS = 60_000

/** Recipients without a valid message that one commit marks as failed. */
const PASSED_OVER = 200

/** Starts planned campaigns, one commit each, and sends over the connections that are due, one commit a company. True when more may be due. */
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
    run: (scope, { whatsappId }) => takeTurns(scope, [whatsappId]),
    runAll: (scope, rows) =>
      takeTurns(
        scope,
        rows.map(({ whatsappId }) => whatsappId),
      ),
    // while one waits for the database others are served
    companies: 4,
  })
  return moreBegin || moreSend
}

/** Over each connection the next recipient gets its messages, or the time of the next look is set. False when other workers have them all. */
async function takeTurns(scope: Scope, whatsappIds: number[]): Promise<boolean> {
  const served = await scope.transaction(tx => serve(tx, whatsappIds))
  let isAny = served.length > 0
  for (const id of whatsappIds)
    if (!served.includes(id) && (await scope.transaction(tx => lookBehind(tx, id)))) isAny = true
  return isAny
}

/**
 * A recipient is `sending`: one without a message in the outbox fails, since the conversation or the message was deleted, or it
 * opted out.
 */
async function lookBehind(tx: Tx, whatsappId: number): Promise<boolean> {
  const { companyId } = tx
  const [line] = await claimLines(tx.sql, { companyId, whatsappIds: [whatsappId], isSending: true })
  if (!line) return false
  for (const person of await lockLost(tx, whatsappId)) {
    const reason = person.optedOut ? 'ERR_OPTED_OUT' : 'ERR_FETCH_WAPP_MSG'
    const counts = { sending: -1, failed: 1 }
    const campaign = await changeDispatch(tx, person, { status: 'sentFail', reason }, counts, [
      () => insertDepartures(tx.sql, [{ companyId, dispatchId: person.id, whatsappId, at: databaseTime() }]),
    ])
    await finishIfOver(tx, campaign)
  }
  if (line.restrictedUntil > line.now)
    for (const { id } of await campaignsOn(tx, [whatsappId])) await rest(tx, id, line)
  await setClocks(tx, [{ whatsappId, freeAt: null, lookAt: line.now + LOOK_AGAIN_MS }])
  return true
}

/** What one commit needs to know of a company, and what it changes. */
interface Batch {
  hour: Cap
  local: Awaited<ReturnType<typeof companyClock>>
  campaigns: Running[]
  /** When to look again (ms) at the connections that send nothing now; null where there is nothing to send. */
  looks: Map<number, number | null>
  sending: Sending[]
  passedOver: { person: DispatchRow; reason: string; now: number }[]
}

type RunningRow = Awaited<ReturnType<typeof campaignsOn>>[number]

/** A running campaign. `servedAt` follows what is decided, so that campaigns of a connection take turns. */
interface Running extends RunningRow {
  sender: Omit<CampaignSender, 'whatsappId' | 'lib'>
  /** Locked recipients that had no turn yet, and the last one that was found. */
  next: NextRecipient[]
  last: DispatchRow | null
  /** It paused, or has no more recipients. */
  isOut: boolean
}

interface Slot {
  line: DueConnection
  campaign: Running
}

type Sending = Ready & Leave & { person: DispatchRow; line: DueConnection; freeAt: number }

/** One commit for the connections of a company that are due and send nothing. Returns which they are. */
async function serve(tx: Tx, whatsappIds: number[]): Promise<number[]> {
  const [lines, plan, local] = await together(
    tx.sql,
    () => claimLines(tx.sql, { companyId: tx.companyId, whatsappIds, isSending: false }),
    () => campaignPlan(tx),
    () => companyClock(tx),
  )
  if (lines.length === 0) return []
  const ids = lines.map(({ id }) => id)
  const [{ now }] = lines as [DueConnection]
  const rows = await campaignsOn(tx, ids)
  if (!plan.isInPlan) for (const { id } of rows) await pauseBySelf(tx, id, 'plan', '')
  const campaigns = plan.isInPlan ? await running(tx, rows, local.shown) : []
  const hour = await hourCapOf(tx, plan.most, now, { isShared: true })
  const batch: Batch = { hour, local, campaigns, looks: new Map(), sending: [], passedOver: [] }
  for (let waiting = lines; waiting.length > 0; ) {
    const slots: Slot[] = []
    for (const line of waiting) {
      const chosen = await choose(tx, batch, line)
      if (chosen === null || typeof chosen === 'number') batch.looks.set(line.id, chosen)
      else slots.push(chosen)
    }
    waiting = (await fill(tx, batch, slots)).map(({ line }) => line)
  }
  await store(tx, batch, lines)
  return ids
}

/** Campaigns with what does not change while they are served, and the first recipient for each of their connections. */
async function running(tx: Tx, rows: RunningRow[], local: string): Promise<Running[]> {
  if (rows.length === 0) return []
  const [setups, messages, people] = await together(
    tx.sql,
    () =>
      setupsOf(
        tx,
        rows.flatMap(({ setupId }) => setupId ?? []),
      ),
    () =>
      messagesOfEach(
        tx,
        rows.map(({ id }) => id),
      ),
    () =>
      nextRecipients(
        tx,
        rows.map(({ id: campaignId, lines }) => ({ campaignId, after: null, most: lines.length })),
      ),
  )
  return rows.map(row => {
    const { userId, signer, standIns } = row
    const texts = { setup: setups.get(row.setupId!)!, messages: messages.get(row.id) ?? [] }
    const sender = { ...texts, userId, signer, standIns, local }
    const next = people.get(row.id) ?? []
    return { ...row, sender, next, last: next.at(-1) ?? null, isOut: false }
  })
}

/** The campaign that sends over a connection now; else when to look again (ms), null when there is nothing to send. */
async function choose(tx: Tx, batch: Batch, line: DueConnection): Promise<Slot | number | null> {
  const own = batch.campaigns
    .filter(({ isOut, lines }) => !isOut && lines.includes(line.id))
    .sort((one, other) => (one.servedAt ?? '').localeCompare(other.servedAt ?? '') || one.id - other.id)
  const late = own.filter(({ waitsUntil }) => isTooLate(waitsUntil, line.now))
  for (const campaign of late) await stop(tx, campaign, 'late', '')
  if (late.length > 0) return line.now
  if (own.length > 0 && line.state !== 'connected') return waitForConnection(tx, own, line)
  let next: number | null = null
  for (const campaign of own) {
    const at = await whenOver(tx, batch, { line, campaign })
    if (at === 'now') {
      // it counts for the next connection already
      batch.hour.left.push(line.now)
      Object.assign(campaign, { servedAt: instantAt(line.now), waitsUntil: null })
      return { line, campaign }
    }
    if (at !== null) next = Math.min(next ?? at, at)
  }
  return next
}

async function stop(tx: Tx, campaign: Running, ...why: [Parameters<typeof pauseBySelf>[2], string]) {
  Object.assign(campaign, { isOut: true, status: 'pause' })
  await pauseBySelf(tx, campaign.id, ...why)
}

/** Waits for a connection that is opening; pauses campaigns that no other connection can send. */
async function waitForConnection(tx: Tx, campaigns: Running[], { name, state, now }: DueConnection) {
  for (const campaign of campaigns) {
    const { id, waitReason, sender } = campaign
    const others = sender.setup.whatsapps.filter(
      one => one.status === 'CONNECTED' || one.status === 'OPENING',
    )
    if (others.length === 0) await stop(tx, campaign, 'disconnected', name)
    // set once: its age decides when the campaign is too late
    else if (waitReason !== 'connection' && !others.some(({ status }) => status === 'CONNECTED'))
      await waits(tx, id, 'connection', now + OPENING_MS)
  }
  return state === 'opening' ? now + OPENING_MS : now + LONGEST_MS
}

/** When the campaign may go on over this connection (ms), or `now`; null where it stopped. */
async function whenOver(tx: Tx, batch: Batch, { line, campaign }: Slot): Promise<number | 'now' | null> {
  const { id } = campaign
  const { setup, messages } = campaign.sender
  if (line.restrictedUntil > line.now) return rest(tx, id, line)
  if (line.quality === 'RED') {
    await stop(tx, campaign, 'quality', line.name)
    return null
  }
  if (messages.length === 0) {
    await stop(tx, campaign, 'empty', '')
    return null
  }
  const opens = opensAt(setup, batch.local.shown)
  if (opens !== null) return waits(tx, id, 'window', line.now + (await batch.local.inMs(opens)))
  const most = dayCapOf(line.lib, line.linkedAt, line.now, { warmUp: setup.warmUp })
  const day = await dayCapCounted(tx, line.id, most)
  const { at, waits: why } = nextDeparture(line.now, line.freeAt, [batch.hour, day])
  if (at <= line.now) return 'now'
  await waits(tx, id, why!, at)
  return why === 'gap' ? at : Math.min(at, line.now + LONGEST_MS)
}

/** WhatsApp refuses first messages, and counts each try: the campaign waits until it does not. */
async function rest(tx: Tx, campaignId: number, { restrictedUntil, now }: DueConnection) {
  await waits(tx, campaignId, 'restricted', restrictedUntil)
  return Math.min(restrictedUntil, now + LONGEST_MS)
}

/**
 * Finds for each slot a recipient that can be written to. One that cannot is marked as failed without a pause, since nothing was
 * sent. Returns the slots whose campaigns have no more recipients.
 */
async function fill(tx: Tx, batch: Batch, slots: Slot[]): Promise<Slot[]> {
  const over: Slot[] = []
  let open = slots
  while (open.length > 0 && batch.passedOver.length < PASSED_OVER) {
    await findMore(tx, open)
    const turns = open.flatMap(({ line, campaign }) => {
      const person = campaign.next.shift()
      if (person?.isOptedOut) {
        batch.passedOver.push({ person, reason: 'ERR_OPTED_OUT', now: line.now })
        return []
      }
      const sender = { ...campaign.sender, whatsappId: line.id, lib: line.lib }
      return person ? [{ line, campaign, person, sender }] : []
    })
    const without = open.filter(slot => !turns.some(({ line }) => line === slot.line))
    over.push(...without.filter(({ campaign }) => campaign.isOut))
    open = without.filter(({ campaign }) => !campaign.isOut)
    for (const [at, ready] of (await readyFor(tx, turns)).entries()) {
      const { line, campaign, person } = turns[at]!
      if ('reason' in ready) {
        batch.passedOver.push({ person, reason: ready.reason, now: line.now })
        open.push({ line, campaign })
        continue
      }
      const { withinPair: withinMs, toNext } = gapsOf(campaign.sender.setup, Math.random)
      const freeAt = line.now + (ready.texts.parts.length > 1 ? withinMs : 0) + toNext
      const leave = { cause: `campaign:${tx.companyId}:${person.id}`, now: line.now, withinMs }
      batch.sending.push({ ...ready, ...leave, person, line, freeAt })
    }
  }
  for (const { line } of open) batch.looks.set(line.id, line.now)
  // they count for no hour
  batch.hour.left.splice(batch.hour.left.length - over.length - open.length)
  return over
}

/** Looks for more recipients of campaigns whose first ones could not be reached. Campaigns without any left are out. */
async function findMore(tx: Tx, slots: Slot[]): Promise<void> {
  const short = new Set(slots.map(({ campaign }) => campaign).filter(({ next }) => next.length === 0))
  if (short.size === 0) return
  const asked = [...short].map(({ id: campaignId, last: after }) => ({ campaignId, after, most: 20 }))
  const people = await nextRecipients(tx, asked)
  for (const campaign of short) {
    campaign.next = people.get(campaign.id) ?? []
    campaign.last = campaign.next.at(-1) ?? campaign.last
    campaign.isOut = campaign.next.length === 0
  }
}

/** Recipients are `sending`: their messages are recorded, and the pauses of the connections begin. Campaigns without any left are over. */
async function store(tx: Tx, { sending, passedOver, looks, campaigns }: Batch, lines: DueConnection[]) {
  const posted = await postMessages(tx, sending)
  const changes: CampaignChanges = new Map()
  for (const { person } of passedOver) addCounts(changes, person.campaignId, { failed: 1 })
  for (const { person, now, freeAt } of sending) {
    addCounts(changes, person.campaignId, { sending: 1 })
    const waits = { waitReason: 'gap', waitsUntil: instantAt(freeAt) } as const
    changes.get(person.campaignId)!.set = { servedAt: instantAt(now), ...waits }
  }
  const people: DispatchRow[] = [
    ...passedOver.map(({ person, reason, now }) => {
      return { ...person, status: 'sentFail' as const, reason, schedule: instantAt(now) }
    }),
    ...sending.map(({ person, line, now }, at) => {
      const { posts: _posts, ...texts } = posted[at]!
      const schedule = instantAt(now)
      return { ...person, ...texts, status: 'sending' as const, whatsappId: line.id, schedule }
    }),
  ]
  const posts = sending.flatMap(({ person }, at) =>
    posted[at]!.posts.map((one, place, { length }) => ({
      ...{ ...one, companyId: tx.companyId, dispatchId: person.id, place },
      isLast: place === length - 1,
    })),
  )
  const clocks = lines.map(({ id: whatsappId, now }) => {
    const own = sending.find(({ line }) => line.id === whatsappId)
    // the outcome wakes it
    return own
      ? { whatsappId, freeAt: own.freeAt, lookAt: now + LOOK_AGAIN_MS }
      : { whatsappId, freeAt: null, lookAt: looks.get(whatsappId) ?? null }
  })
  const changed = await changePeople(tx, people, changes, [
    async () => posts.length > 0 && (await insertPosts(tx.sql, posts)),
    () => setClocks(tx, clocks),
  ])
  for (const campaign of campaigns)
    if (campaign.isOut) await finishIfOver(tx, changed.get(campaign.id) ?? campaign)
}

/** Stores why the campaign waits and until when, for the screen. Returns `until`. */
async function waits(tx: Tx, campaignId: number, waitReason: WaitReason, until: number): Promise<number> {
  await updateCampaign(tx, campaignId, { waitReason, waitsUntil: instantAt(until) })
  return until
}
