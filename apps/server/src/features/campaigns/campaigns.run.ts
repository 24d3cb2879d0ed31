import type { WaitReason } from '@balcao/contract/campaignShapes.ts'
import { type Cap, dayCapOf, gapsOf, nextDeparture, opensAt } from '@balcao/contract/campaigns.rules.ts'
import { together } from '../../platform/db.ts'
import type { DueTools } from '../../platform/due.ts'
import type { Scope, Tx } from '../../platform/scope.ts'
import { findCampaignSetup } from '../campaignSetups/campaignSetups.queries.ts'
import { campaignPlan } from '../companies/companies.queries.ts'
import { dayCapCounted, forgetDepartures, hourCapOf, lockCompany } from './campaigns.caps.ts'
import { type Clock, claimClock, clocksDue, momentAt, setClock } from './campaigns.clocks.ts'
import { giveUpLost } from './campaigns.outcome.ts'
import { beginPlanned, finishIfOver, pauseBySelf } from './campaigns.process.ts'
import {
  type CampaignRow,
  countPeople,
  lookAt,
  messagesOf,
  updateCampaign,
  updateDispatch,
} from './campaigns.queries.ts'
import { type CampaignVoice, type SpokenWords, speak } from './campaigns.speak.ts'
import { campaignPosts } from './campaigns.table.ts'
import { tellDispatch } from './campaigns.tell.ts'
import {
  campaignsOn,
  companyClock,
  lineOf,
  nextPerson,
  plannedCampaigns,
  someoneUnderWay,
} from './campaigns.turns.ts'

/** So many are looked at before it is looked again. */
const AT_ONCE = 100
/** A person under way is waited for by what becomes of his messages; so often it is looked for beside. */
const LOOK_AGAIN_MS = 5_000
const OPENING_MS = 2_000
/** No cap is waited for longer: somebody may have been taken out meanwhile. */
const LONGEST_MS = 60_000
/** So many that cannot be written to are passed over in one commit. */
const PASSED_OVER = 200

/** What is due leaves, each number's turn in a commit of its own. True when more may wait. */
export async function sendDueCampaigns({ scopes, log, stopping }: DueTools): Promise<boolean> {
  const platform = scopes.platform()
  for (const { companyId, id } of await platform.transaction(sql => plannedCampaigns(sql, AT_ONCE)))
    await beginPlanned(scopes.inCompany(companyId), id)
  const due = await platform.transaction(sql => clocksDue(sql, AT_ONCE))
  let taken = 0
  for (const { companyId, whatsappId } of due) {
    if (stopping()) return false
    try {
      if (await takeTurn(scopes.inCompany(companyId), whatsappId)) taken++
    } catch (error) {
      log.error({ err: error, companyId, whatsappId }, 'a campaign could not send: it is looked at again')
    }
  }
  return due.length === AT_ONCE && taken > 0
}

/**
 * One number's turn, in one commit: the next person of one of its campaigns gets his messages into the outbox, or the
 * number is looked at again when it may. False when another worker has it.
 */
const takeTurn = (scope: Scope, whatsappId: number): Promise<boolean> =>
  scope.transaction(async tx => {
    const clock = await claimClock(tx, whatsappId)
    if (!clock) return false
    await setClock(tx, whatsappId, { lookAt: await turn(tx, whatsappId, clock) })
    return true
  })

/** Answers when the number is looked at next; null when there is nothing to send. */
async function turn(tx: Tx, whatsappId: number, clock: Clock): Promise<number | null> {
  if (await someoneUnderWay(tx, whatsappId)) {
    await giveUpLost(tx, whatsappId)
    return clock.now + LOOK_AGAIN_MS
  }
  const [campaigns, line, , , { most, isInPlan }] = await together(
    tx.sql,
    () => campaignsOn(tx, whatsappId),
    () => lineOf(tx, whatsappId),
    () => lockCompany(tx),
    () => forgetDepartures(tx),
    () => campaignPlan(tx),
  )
  if (campaigns.length === 0) return null
  if (!isInPlan) {
    for (const { id } of campaigns) await pauseBySelf(tx, id, 'plan', '')
    return null
  }
  if (line.state !== 'connected') return away(tx, campaigns, line, clock.now)
  const hour = await hourCapOf(tx, most, clock.now)
  let next: number | null = null
  for (const campaign of campaigns) {
    const at = await serve(tx, { campaign, line, clock, hour })
    if (at === 'served') return clock.now + LOOK_AGAIN_MS
    if (at !== null) next = Math.min(next ?? at, at)
  }
  return next
}

type Line = Awaited<ReturnType<typeof lineOf>>

/** A number that is on its way back is waited for; one that is not stops what no other number sends. */
async function away(tx: Tx, campaigns: CampaignRow[], line: Line, now: number) {
  for (const { id, setupId } of campaigns) {
    const { whatsapps } = await findCampaignSetup(tx, setupId!)
    const others = whatsapps.filter(one => one.status === 'CONNECTED' || one.status === 'OPENING')
    if (others.length === 0) await pauseBySelf(tx, id, 'disconnected', line.name)
    else if (!others.some(({ status }) => status === 'CONNECTED'))
      await waits(tx, id, 'connection', now + OPENING_MS)
  }
  return line.state === 'opening' ? now + OPENING_MS : now + LONGEST_MS
}

interface Turn {
  campaign: CampaignRow
  line: Line
  clock: Clock
  hour: Cap
}

/** `served`: somebody is under way now. Else when the campaign may go on over this number; null when it is through. */
async function serve(tx: Tx, { campaign, line, clock, hour }: Turn): Promise<number | 'served' | null> {
  if (line.quality === 'RED') {
    await pauseBySelf(tx, campaign.id, 'quality', line.name)
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
  const day = await dayCapCounted(tx, line.id, dayCapOf(line.lib, line.linkedAt, clock.now, setup.warmUp))
  const { at, waits: why } = nextDeparture(clock.now, clock.freeAt, [hour, day])
  if (at > clock.now) {
    await waits(tx, campaign.id, why!, at)
    return why === 'gap' ? at : Math.min(at, clock.now + LONGEST_MS)
  }
  const voice: CampaignVoice = {
    whatsappId: line.id,
    lib: line.lib,
    setup,
    messages,
    userId: campaign.userId,
  }
  return writeToNext(tx, campaign.id, voice, clock.now)
}

/** Those who cannot be written to are passed over without a pause: nothing leaves for them. */
async function writeToNext(
  tx: Tx,
  campaignId: number,
  voice: CampaignVoice,
  now: number,
): Promise<number | 'served' | null> {
  for (let passed = 0; passed < PASSED_OVER; passed++) {
    const person = await nextPerson(tx, campaignId)
    if (!person) {
      await finishIfOver(tx, await lookAt(tx, campaignId))
      return null
    }
    const { withinPair, toNext } = gapsOf(voice.setup, Math.random)
    const cause = `campaign:${tx.companyId}:${person.id}`
    const said = person.isOptedOut
      ? { reason: 'ERR_OPTED_OUT' }
      : await speak(tx, voice, person, { cause, now, withinMs: withinPair })
    if ('reason' in said) await passOver(tx, campaignId, person.id, said.reason, now)
    else {
      const freeAt = now + (said.posts.length > 1 ? withinPair : 0) + toNext
      const { whatsappId } = voice
      await beginWith(tx, { campaignId, dispatchId: person.id, whatsappId, said, now, freeAt })
      return 'served'
    }
  }
  return now
}

async function passOver(tx: Tx, campaignId: number, dispatchId: number, reason: string, now: number) {
  await updateDispatch(tx, dispatchId, { status: 'sentFail', reason, schedule: momentAt(now) })
  await countPeople(tx, campaignId, { failed: 1 })
  await tellDispatch(tx, campaignId, dispatchId)
}

interface Beginning {
  campaignId: number
  dispatchId: number
  whatsappId: number
  said: SpokenWords
  now: number
  freeAt: number
}

/** A person is under way: his messages have their unique cause, and the number its pause. */
async function beginWith(tx: Tx, { campaignId, dispatchId, whatsappId, said, now, freeAt }: Beginning) {
  const { posts, ...told } = said
  const rows = posts.map((one, place) => ({
    ...one,
    companyId: tx.companyId,
    dispatchId,
    place,
    isLast: place === posts.length - 1,
  }))
  const schedule = momentAt(now)
  const waits = { waitReason: 'gap', waitsUntil: momentAt(freeAt) } as const
  await together(
    tx.sql,
    () => tx.sql.insert(campaignPosts).values(rows),
    () => updateDispatch(tx, dispatchId, { ...told, status: 'sending', whatsappId, schedule }),
    () => setClock(tx, whatsappId, { freeAt }),
    () => countPeople(tx, campaignId, { sending: 1 }, { servedAt: schedule, ...waits }),
  )
  await tellDispatch(tx, campaignId, dispatchId)
}

/** The screen says the limit that stops it, and until when. Answers that moment. */
async function waits(tx: Tx, campaignId: number, waitReason: WaitReason, until: number): Promise<number> {
  await updateCampaign(tx, campaignId, { waitReason, waitsUntil: momentAt(until) })
  return until
}
