import { gapsOf, refusalsAfter, stopsAfter } from '@balcao/contract/campaigns.rules.ts'
import { FAILED } from '@balcao/contract/messages.rules.ts'
import type { Message } from '@balcao/contract/messages.ts'
import type { Ticket } from '@balcao/contract/tickets.ts'
import type { Tx } from '../../platform/scope.ts'
import { and, desc, eq, inArray, sql as tag } from '../../platform/sql.ts'
import { setupOrNull } from '../campaignSetups/campaignSetups.queries.ts'
import { noteDeparture } from './campaigns.caps.ts'
import { lockClock, setClock } from './campaigns.clocks.ts'
import { placeTicketJob } from './campaigns.jobs.ts'
import { finishIfOver, pauseBySelf } from './campaigns.process.ts'
import { countPeople, type DispatchRow, lockDispatch, lookAt, updateDispatch } from './campaigns.queries.ts'
import { takeBackRest } from './campaigns.recall.ts'
import { campaignDispatches, campaignPosts } from './campaigns.table.ts'
import { tellDispatch } from './campaigns.tell.ts'

type Post = typeof campaignPosts.$inferSelect

/** The network took, delivered or refused a message of a person: his row, the counts and the number's clock follow. */
export async function settlePost(tx: Tx, message: Message): Promise<void> {
  if (message.source !== 'campaign') return
  const post = await postOf(tx, message.id)
  const person = post && (await lockDispatch(tx, post.dispatchId))
  if (!person || message.ack === post.ack) return
  await tx.sql.update(campaignPosts).set({ ack: message.ack }).where(itself(tx, post))
  if (message.ack === FAILED) await refused(tx, person, message.failReason)
  else await arrived(tx, person, post, message.ack)
  await tellDispatch(tx, person.campaignId, person.id)
}

async function postOf(tx: Tx, messageId: string): Promise<Post | null> {
  const [post] = await tx.sql
    .select()
    .from(campaignPosts)
    .where(and(eq(campaignPosts.companyId, tx.companyId), eq(campaignPosts.messageId, messageId)))
  return post ?? null
}

const itself = (tx: Tx, { dispatchId, place }: Post) =>
  and(
    eq(campaignPosts.companyId, tx.companyId),
    eq(campaignPosts.dispatchId, dispatchId),
    eq(campaignPosts.place, place),
  )

/** So far a message got before it counts as sent. */
const SENT = 2
const DELIVERED = 3
const READ = 4

async function arrived(tx: Tx, person: DispatchRow, post: Post, ack: number) {
  const isNew = post.ack < SENT && ack >= SENT
  const now = new Date().toISOString()
  if (isNew && person.whatsappId !== null) await noteDeparture(tx, person.id, person.whatsappId)
  const learned = {
    ...(isNew && post.part === 'greeting' && { greetingSendAt: now }),
    ...(isNew && post.part === 'message' && { messageSendAt: now }),
    ...(post.part === 'message' && { ack }),
    ...(isNew && post.isLast && { status: 'sent' as const, reason: '' }),
  }
  // that a greeting was delivered or read says nothing of its person
  if (Object.keys(learned).length > 0) await updateDispatch(tx, person.id, learned)
  if (post.part === 'message')
    await countPeople(tx, person.campaignId, {
      delivered: crossed(DELIVERED, person.ack, ack),
      read: crossed(READ, person.ack, ack),
    })
  if (!isNew || !post.isLast) return
  const left = person.status === 'sending' ? 'sending' : 'failed'
  await countPeople(tx, person.campaignId, { [left]: -1, sent: 1 })
  await free(tx, person, 0)
  await place(tx, person)
  await finishIfOver(tx, person.campaignId)
}

const crossed = (line: number, before: number, now: number) => (before < line && now >= line ? 1 : 0)

async function refused(tx: Tx, person: DispatchRow, reason: string) {
  if (person.status === 'sentFail') return
  const wasSent = person.status === 'sent'
  await updateDispatch(tx, person.id, { status: 'sentFail', reason, ack: FAILED })
  await countPeople(tx, person.campaignId, { [wasSent ? 'sent' : 'sending']: -1, failed: 1 })
  await takeBackRest(tx, person.id)
  if (person.whatsappId === null) return
  const clock = await lockClock(tx, person.whatsappId)
  const refusals = refusalsAfter(clock?.refusals ?? 0, reason)
  // what had left is counted from then, and its pause is under way or over
  if (wasSent) await setClock(tx, person.whatsappId, { refusals })
  else {
    await noteDeparture(tx, person.id, person.whatsappId)
    await free(tx, person, refusals)
  }
  const stop = stopsAfter(reason, refusals)
  if (stop) await pauseBySelf(tx, person.campaignId, stop, reason)
  await finishIfOver(tx, person.campaignId)
}

/**
 * Who is under way over a number though nothing of his waits any more: somebody deleted his conversation, or took the
 * message back by hand.
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
    await updateDispatch(tx, person.id, { status: 'sentFail', reason: 'ERR_FETCH_WAPP_MSG' })
    await countPeople(tx, person.campaignId, { sending: -1, failed: 1 })
    await noteDeparture(tx, person.id, whatsappId)
    await tellDispatch(tx, person.campaignId, person.id)
    await finishIfOver(tx, person.campaignId)
  }
}

/** The number is free again after its pause, counted from when the last message really left. */
async function free(tx: Tx, { whatsappId, campaignId }: DispatchRow, refusals: number) {
  if (whatsappId === null) return
  const clock = await lockClock(tx, whatsappId)
  const { setupId } = await lookAt(tx, campaignId)
  const setup = await setupOrNull(tx, setupId)
  if (!clock || !setup) return
  const freeAt = clock.now + gapsOf(setup, Math.random).toNext
  await setClock(tx, whatsappId, { freeAt, lookAt: freeAt, refusals })
}

/** A ticket that only the campaign spoke on stands as the setup says (CAMP-053), in a commit of its own. */
async function place(tx: Tx, { ticketId, campaignId }: DispatchRow) {
  const { setupId } = await lookAt(tx, campaignId)
  const setup = await setupOrNull(tx, setupId)
  if (ticketId !== null && setup && setup.ticketSetStatus !== 'closed')
    await tx.enqueue(placeTicketJob, { ticketId, campaignId })
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
  await tellDispatch(tx, person.campaignId, person.id)
}
