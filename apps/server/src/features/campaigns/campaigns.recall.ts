import type { Tx } from '../../platform/scope.ts'
import { and, eq, inArray, sql as tag } from '../../platform/sql.ts'
import { messages } from '../messages/messages.table.ts'
import { neverLeft, withdrawMessage } from '../messages/messages.withdraw.ts'
import { countPeople, lockDispatch, updateDispatch } from './campaigns.queries.ts'
import { campaignDispatches, campaignPosts } from './campaigns.table.ts'

/**
 * Keeps what waits in the outbox from leaving until this transaction ends. Asked before the campaign is locked: whoever
 * hears of a message of the network holds them in the same order.
 */
export async function holdUnsent(tx: Tx, campaignId: number): Promise<void> {
  await unsentOf(tx, campaignId)
}

/** Whoever got nothing yet waits again; whose greeting began to leave gets the rest. */
export async function takeBack(tx: Tx, campaignId: number): Promise<void> {
  const unsent = await unsentOf(tx, campaignId)
  const people = new Set(unsent.map(({ dispatchId }) => dispatchId))
  for (const dispatchId of people) {
    const its = unsent.filter(one => one.dispatchId === dispatchId)
    const [posted] = await tx.sql
      .select({ count: tag<number>`count(*)::int` })
      .from(campaignPosts)
      .where(ofPerson(tx, dispatchId))
    if (its.length < posted!.count || !its.every(({ message }) => neverLeft(message))) continue
    // the last first: each time the list's row says what was said before
    for (const { message } of its.toReversed()) await withdrawMessage(tx, message)
    await tx.sql.delete(campaignPosts).where(ofPerson(tx, dispatchId))
    await waitAgain(tx, campaignId, dispatchId)
  }
}

async function waitAgain(tx: Tx, campaignId: number, dispatchId: number) {
  const nothing = {
    whatsappId: null,
    schedule: null,
    greeting: '',
    message: '',
    mediaUrl: null,
    ticketId: null,
  }
  await updateDispatch(tx, dispatchId, { status: 'pending', ...nothing })
  await countPeople(tx, campaignId, { sending: -1 })
}

/** What of a person's messages never left is taken back; answers whether anything did leave. */
export async function takeBackRest(tx: Tx, dispatchId: number): Promise<void> {
  await lockDispatch(tx, dispatchId)
  const rest = await tx.sql
    .select({ message: messages })
    .from(campaignPosts)
    .innerJoin(messages, itsMessage)
    .where(ofPerson(tx, dispatchId))
    .orderBy(messages.id)
    .for('update', { of: messages })
  for (const { message } of rest.toReversed()) if (neverLeft(message)) await withdrawMessage(tx, message)
}

const itsMessage = and(
  eq(messages.companyId, campaignPosts.companyId),
  eq(messages.id, campaignPosts.messageId),
)

const ofPerson = (tx: Tx, dispatchId: number) =>
  and(eq(campaignPosts.companyId, tx.companyId), eq(campaignPosts.dispatchId, dispatchId))

/** The messages of those under way that wait in the outbox, locked, each person's in order. */
const unsentOf = (tx: Tx, campaignId: number) =>
  tx.sql
    .select({ dispatchId: campaignPosts.dispatchId, message: messages })
    .from(campaignDispatches)
    .innerJoin(
      campaignPosts,
      and(
        eq(campaignPosts.companyId, campaignDispatches.companyId),
        eq(campaignPosts.dispatchId, campaignDispatches.id),
      ),
    )
    .innerJoin(messages, itsMessage)
    .where(
      and(
        eq(campaignDispatches.companyId, tx.companyId),
        eq(campaignDispatches.campaignId, campaignId),
        eq(campaignDispatches.status, 'sending'),
        inArray(messages.outbox, ['queued', 'sending', 'unknown']),
      ),
    )
    .orderBy(campaignPosts.dispatchId, campaignPosts.place)
    .for('update', { of: messages })
