import { gapsOf, refusalsAfter, stopsAfter } from '@balcao/contract/campaigns.rules.ts'
import { FAILED } from '@balcao/contract/messages.rules.ts'
import type { Message } from '@balcao/contract/messages.ts'
import type { Ticket } from '@balcao/contract/tickets.ts'
import { given, prepared } from '../../platform/db.prepared.ts'
import { together } from '../../platform/db.ts'
import type { Tx } from '../../platform/scope.ts'
import { and, desc, eq, inArray, sql as tag } from '../../platform/sql.ts'
import { setupOrNull } from '../campaignSetups/campaignSetups.queries.ts'
import { noteDeparture } from './campaigns.caps.ts'
import { lockClock, setClock } from './campaigns.clocks.ts'
import { placeTicketJob } from './campaigns.jobs.ts'
import { finishIfOver, pauseBySelf } from './campaigns.process.ts'
import {
  type CampaignRow,
  countPeople,
  type DispatchRow,
  lookAt,
  updateDispatch,
} from './campaigns.queries.ts'
import { takeBackRest } from './campaigns.recall.ts'
import { campaignDispatches, campaignPosts } from './campaigns.table.ts'
import { tellDispatch } from './campaigns.tell.ts'

type Post = typeof campaignPosts.$inferSelect

/** The network took, delivered or refused a message of a person: his row, the counts and the number's clock follow. */
export async function settlePost(tx: Tx, message: Message): Promise<void> {
  if (message.source !== 'campaign') return
  const [known] = await postLocked(tx.sql, { companyId: tx.companyId, messageId: message.id })
  if (!known || message.ack === known.post.ack) return
  const { post, person } = known
  if (message.ack === FAILED) await refused(tx, person, post, message.failReason)
  else await arrived(tx, person, post, message.ack)
  await tellDispatch(tx, person.campaignId, person.id)
}

/** What a message is to its campaign, and whom it was for, who is locked. */
const postLocked = prepared(sql =>
  sql
    .select({ post: campaignPosts, person: campaignDispatches })
    .from(campaignPosts)
    .innerJoin(
      campaignDispatches,
      and(
        eq(campaignDispatches.companyId, campaignPosts.companyId),
        eq(campaignDispatches.id, campaignPosts.dispatchId),
      ),
    )
    .where(
      and(eq(campaignPosts.companyId, given('companyId')), eq(campaignPosts.messageId, given('messageId'))),
    )
    .for('update', { of: campaignDispatches }),
)

const keepAck = (tx: Tx, { dispatchId, place }: Post, ack: number) =>
  tx.sql
    .update(campaignPosts)
    .set({ ack })
    .where(
      and(
        eq(campaignPosts.companyId, tx.companyId),
        eq(campaignPosts.dispatchId, dispatchId),
        eq(campaignPosts.place, place),
      ),
    )

/** So far a message got before it counts as sent. */
const SENT = 2
const DELIVERED = 3
const READ = 4

async function arrived(tx: Tx, person: DispatchRow, post: Post, ack: number) {
  const { id, campaignId, whatsappId } = person
  const isNew = post.ack < SENT && ack >= SENT
  const isThrough = isNew && post.isLast
  const isMessage = post.part === 'message'
  const now = new Date().toISOString()
  const learned = {
    ...(isNew && post.part === 'greeting' && { greetingSendAt: now }),
    ...(isNew && isMessage && { messageSendAt: now }),
    ...(isMessage && { ack }),
    ...(isThrough && { status: 'sent' as const, reason: '' }),
  }
  const wasIn = person.status === 'sending' ? 'sending' : 'failed'
  const counted = {
    ...(isMessage && crossed(DELIVERED, person.ack, ack) && { delivered: 1 }),
    ...(isMessage && crossed(READ, person.ack, ack) && { read: 1 }),
    ...(isThrough && { [wasIn]: -1, sent: 1 }),
  }
  const [, , , campaign] = await together(
    tx.sql,
    () => keepAck(tx, post, ack),
    async () => isNew && whatsappId !== null && (await noteDeparture(tx, id, whatsappId)),
    // that a greeting was delivered or read says nothing of its person
    async () => Object.keys(learned).length > 0 && (await updateDispatch(tx, id, learned)),
    async () => (Object.keys(counted).length > 0 ? countPeople(tx, campaignId, counted) : null),
  )
  if (!isThrough || !campaign) return
  const setup = await free(tx, person, campaign, 0)
  // a ticket that only the campaign spoke on stands as the setup says (CAMP-053), in a commit of its own
  if (person.ticketId !== null && setup && setup.ticketSetStatus !== 'closed')
    await tx.enqueue(placeTicketJob, { ticketId: person.ticketId, campaignId })
  await finishIfOver(tx, campaign)
}

const crossed = (line: number, before: number, now: number) => before < line && now >= line

async function refused(tx: Tx, person: DispatchRow, post: Post, reason: string) {
  await keepAck(tx, post, FAILED)
  if (person.status === 'sentFail') return
  const wasSent = person.status === 'sent'
  await updateDispatch(tx, person.id, { status: 'sentFail', reason, ack: FAILED })
  const campaign = await countPeople(tx, person.campaignId, {
    [wasSent ? 'sent' : 'sending']: -1,
    failed: 1,
  })
  await takeBackRest(tx, person.id)
  if (person.whatsappId === null) return
  const clock = await lockClock(tx, person.whatsappId)
  const refusals = refusalsAfter(clock?.refusals ?? 0, reason)
  // what had left is counted from then, and its pause is under way or over
  if (wasSent) await setClock(tx, person.whatsappId, { refusals })
  else {
    await noteDeparture(tx, person.id, person.whatsappId)
    await free(tx, person, campaign, refusals)
  }
  const stop = stopsAfter(reason, refusals)
  if (stop) await pauseBySelf(tx, person.campaignId, stop, reason)
  await finishIfOver(tx, await lookAt(tx, person.campaignId))
}

/**
 * Who is under way over a number though nothing of his waits any more: somebody deleted his conversation, or took the
 * message back by hand, or he asked for no more.
 */
export async function giveUpLost(tx: Tx, whatsappId: number): Promise<void> {
  const lost = await tx.sql
    .select()
    .from(campaignDispatches)
    .where(
      and(
        eq(campaignDispatches.companyId, tx.companyId),
        eq(campaignDispatches.whatsappId, whatsappId),
        eq(campaignDispatches.status, 'sending'),
        tag`not exists (select from campaign_posts p join messages m on m.company_id = p.company_id and m.id = p.message_id
          where p.company_id = ${campaignDispatches.companyId} and p.dispatch_id = ${campaignDispatches.id}
            and m.outbox in ('queued', 'sending', 'unknown'))`,
      ),
    )
    .for('update')
  for (const person of lost) {
    const reason = person.optedOut ? 'ERR_OPTED_OUT' : 'ERR_FETCH_WAPP_MSG'
    await updateDispatch(tx, person.id, { status: 'sentFail', reason })
    const campaign = await countPeople(tx, person.campaignId, { sending: -1, failed: 1 })
    await noteDeparture(tx, person.id, whatsappId)
    await tellDispatch(tx, person.campaignId, person.id)
    await finishIfOver(tx, campaign)
  }
}

/**
 * The number is free again after its pause, counted from when the last message really left. Answers the campaign's setup;
 * null when it has none any more.
 */
async function free(tx: Tx, { whatsappId }: DispatchRow, { setupId }: CampaignRow, refusals: number) {
  const [setup, clock] = await together(
    tx.sql,
    () => setupOrNull(tx, setupId),
    async () => (whatsappId === null ? null : lockClock(tx, whatsappId)),
  )
  if (whatsappId === null || !clock || !setup) return setup
  const freeAt = clock.now + gapsOf(setup, Math.random).toNext
  await setClock(tx, whatsappId, { freeAt, lookAt: freeAt, refusals })
  return setup
}

/** So long a word of the customer is an answer to a campaign. */
const ANSWERS = tag`interval '30 days'`

/** The person of a campaign that wrote to the contact last over this number; null when none did lately. */
async function lastHeard(tx: Tx, contactId: number, whatsappId: number | null) {
  if (whatsappId === null) return null
  const [row] = await tx.sql
    .select()
    .from(campaignDispatches)
    .where(
      and(
        eq(campaignDispatches.companyId, tx.companyId),
        eq(campaignDispatches.contactId, contactId),
        eq(campaignDispatches.whatsappId, whatsappId),
        inArray(campaignDispatches.status, ['sending', 'sent']),
        tag`coalesce(${campaignDispatches.greetingSendAt}, ${campaignDispatches.messageSendAt}) > now() - ${ANSWERS}`,
      ),
    )
    .orderBy(desc(campaignDispatches.id))
    .limit(1)
    .for('update')
  return row ?? null
}

/** A customer whom a campaign wrote to answers: his ticket knows it. */
export async function hearAnswer(tx: Tx, { contactId, whatsappId, id }: Ticket): Promise<void> {
  const person = await lastHeard(tx, contactId, whatsappId)
  if (!person || person.answerTicketId === id) return
  const isFirst = person.answeredAt === null
  const answeredAt = person.answeredAt ?? new Date().toISOString()
  await updateDispatch(tx, person.id, { answeredAt, answerTicketId: id })
  if (isFirst) await countPeople(tx, person.campaignId, { answered: 1 })
  await tellDispatch(tx, person.campaignId, person.id)
}

/** He asked for no more. */
export async function hearOptOut(tx: Tx, contactId: number, whatsappId: number | null): Promise<void> {
  const person = await lastHeard(tx, contactId, whatsappId)
  if (!person || person.optedOut) return
  await updateDispatch(tx, person.id, { optedOut: true })
  await countPeople(tx, person.campaignId, { optedOut: 1 })
  if (person.status === 'sending') await sayNoMore(tx, person)
  await tellDispatch(tx, person.campaignId, person.id)
}

/** What of his messages has not begun to leave never does; the number looks at once who is under way over it. */
async function sayNoMore(tx: Tx, { id, whatsappId }: DispatchRow) {
  await takeBackRest(tx, id)
  if (whatsappId !== null) await setClock(tx, whatsappId, { lookAt: Date.now() })
}
