import type { Tx } from '../../../platform/scope.ts'
import { neverLeft, withdrawMessage } from '../../messages/outbox/withdraw.actions.ts'
import { countPeople, lockDispatch, updateDispatch } from '../campaigns.queries.ts'
import { countPosts, deletePosts, lockMessagesOf, lockUnsent } from './outcome.queries.ts'

/**
 * Locks the campaign's messages in the outbox until the end of the transaction. Called before the campaign is locked:
 * acknowledgements lock in the same order, message first.
 */
export async function holdUnsent(tx: Tx, campaignId: number): Promise<void> {
  await lockUnsent(tx, campaignId)
}

/** Recipients whose messages all wait in the outbox are `pending` again; one that got its greeting gets the rest. */
export async function withdrawUnsent(tx: Tx, campaignId: number): Promise<void> {
  const unsent = await lockUnsent(tx, campaignId)
  for (const [dispatchId, its] of Map.groupBy(unsent, one => one.dispatchId)) {
    const posted = await countPosts(tx, dispatchId)
    if (its.length < posted || !its.every(({ message }) => neverLeft(message))) continue
    // the last first: each withdrawal restores the previous last message of the ticket's row
    for (const { message } of its.toReversed()) await withdrawMessage(tx, message)
    await deletePosts(tx, dispatchId)
    await updateDispatch(tx, dispatchId, { status: 'pending', ...nothingSent })
    await countPeople(tx, campaignId, { sending: -1 })
  }
}

const nothingSent = {
  whatsappId: null,
  schedule: null,
  greeting: '',
  message: '',
  mediaUrl: null,
  ticketId: null,
}

/** Withdraws what is still in the outbox for one recipient. */
export async function withdrawRest(tx: Tx, dispatchId: number): Promise<void> {
  await lockDispatch(tx, dispatchId)
  const rest = await lockMessagesOf(tx, dispatchId)
  for (const { message } of rest.toReversed()) if (neverLeft(message)) await withdrawMessage(tx, message)
}
