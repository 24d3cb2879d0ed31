import type { CampaignButton } from '@balcao/contract/campaignSetups.ts'
import { gapsOf, refusalsAfter, stopsAfter } from '@balcao/contract/campaigns.rules.ts'
import { buttonChosen } from '@balcao/contract/campaigns.words.rules.ts'
import { FAILED } from '@balcao/contract/messages.rules.ts'
import type { Message } from '@balcao/contract/messages.ts'
import type { Ticket } from '@balcao/contract/tickets.ts'
import { databaseNow, databaseTime } from '../../../platform/clock.ts'
import { together } from '../../../platform/postgres/db.ts'
import type { Tx } from '../../../platform/scope.ts'
import { silenceBot, startSilentBot } from '../../bots/bots.turn.actions.ts'
import { setupOrNull } from '../../campaignSetups/campaignSetups.queries.ts'
import { isSwitchedOn } from '../../companies/companies.queries.ts'
import { isSuspended } from '../../companies/companies.status.queries.ts'
import { addCategories } from '../../contacts/contacts.categories.actions.ts'
import { knownFlows } from '../../flows/flows.queries.ts'
import { startFlow } from '../../flows/flows.runs.actions.ts'
import type { ReceivedMessage } from '../../messages/messages.events.ts'
import { holdQueuesOrNone } from '../../queues/queues.queries.ts'
import { transfer } from '../../tickets/moves/moves.actions.ts'
import { attachTag } from '../../tickets/tags/tags.actions.ts'
import { loadTicket, lockTicket } from '../../tickets/tickets.queries.ts'
import { placeTicketJob } from '../campaigns.jobs.ts'
import { type CampaignRow, type DispatchRow, findCampaignRow } from '../campaigns.queries.ts'
import {
  answersPost,
  keepAck,
  lastReached,
  lockClock,
  lockPostOf,
  noteDeparture,
  type Post,
  reachedLookup,
} from './outcome.queries.ts'
import { setClock } from './run.queries.ts'
import { changeDispatch, finishIfOver, pauseBySelf } from './status.actions.ts'
import { withdrawRest } from './withdrawal.actions.ts'
import { buttonsOffered } from './written.rules.ts'

/** A message of a campaign was acknowledged or refused: updates the recipient, the counts and the clock of the connection. */
export async function settlePost(tx: Tx, message: Message): Promise<void> {
  if (message.source !== 'campaign') return
  const [known] = await lockPostOf(tx.sql, { companyId: tx.companyId, messageId: message.id })
  if (!known || message.ack === known.post.ack) return
  const { post, person } = known
  if (message.ack === FAILED) await failed(tx, person, post, message.failReason)
  else await acknowledged(tx, person, post, message.ack)
}

/** The ack from which a message counts as sent. */
const SENT = 2

const DELIVERED = 3

const READ = 4

async function acknowledged(tx: Tx, person: DispatchRow, post: Post, ack: number) {
  const { id, campaignId, whatsappId } = person
  const isNew = post.ack < SENT && ack >= SENT
  const isThrough = isNew && post.isLast
  const isMessage = post.part === 'message'
  const now = databaseTime()
  const set = {
    ...(isNew && post.part === 'greeting' && { greetingSendAt: now }),
    ...(isNew && isMessage && { messageSendAt: now }),
    ...(isMessage && { ack }),
    ...(isThrough && { status: 'sent' as const, reason: '' }),
  }
  const wasIn = person.status === 'sending' ? 'sending' : 'failed'
  // delivered and read count for the message, not for its greeting
  const counts = {
    ...(isMessage && crossed(DELIVERED, person.ack, ack) && { delivered: 1 }),
    ...(isMessage && crossed(READ, person.ack, ack) && { read: 1 }),
    ...(isThrough && { [wasIn]: -1, sent: 1 }),
  }
  const campaign = await changeDispatch(tx, person, {
    set,
    counts,
    beside: [
      () => keepAck(tx, post, ack),
      async () => isNew && whatsappId !== null && (await noteDeparture(tx, id, whatsappId)),
    ],
  })
  if (!isThrough) return
  const setup = await startPause(tx, person, campaign, 0)
  // the setup decides the status of a ticket without an answer (CAMP-053); a commit of its own
  if (person.ticketId !== null && setup && setup.ticketSetStatus !== 'closed')
    await tx.enqueue(placeTicketJob, { ticketId: person.ticketId, campaignId })
  await finishIfOver(tx, campaign)
}

const crossed = (line: number, before: number, now: number) => before < line && now >= line

async function failed(tx: Tx, person: DispatchRow, post: Post, reason: string) {
  if (person.status === 'sentFail') return void (await keepAck(tx, post, FAILED))
  const wasSent = person.status === 'sent'
  const campaign = await changeDispatch(tx, person, {
    set: { status: 'sentFail', reason, ack: FAILED },
    counts: { [wasSent ? 'sent' : 'sending']: -1, failed: 1 },
    beside: [() => keepAck(tx, post, FAILED)],
  })
  await withdrawRest(tx, person.id)
  if (person.whatsappId === null) return
  const clock = await lockClock(tx, person.whatsappId)
  const refusals = refusalsAfter(clock?.refusals ?? 0, reason)
  // it was counted when it was sent, and its pause has begun
  if (wasSent) await setClock(tx, person.whatsappId, { refusals })
  else {
    await noteDeparture(tx, person.id, person.whatsappId)
    await startPause(tx, person, campaign, refusals)
  }
  const stop = stopsAfter(reason, refusals)
  if (stop) await pauseBySelf(tx, person.campaignId, stop, reason)
  await finishIfOver(tx, await findCampaignRow(tx, person.campaignId))
}

/** The connection pauses, from now that the last message was sent. Returns the campaign's setup; null when it has none. */
async function startPause(tx: Tx, { whatsappId }: DispatchRow, { setupId }: CampaignRow, refusals: number) {
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

/** A customer answers a campaign: the recipient keeps the ticket of the answer and the button that was chosen first, which acts. */
export async function onCampaignAnswer(tx: Tx, received: ReceivedMessage): Promise<void> {
  if (!reachedLookup.of(received)) return
  const { ticket, message } = received
  const { contactId, whatsappId, id } = ticket
  const person = await lastReached(tx, contactId, whatsappId)
  if (!person) return
  const button = person.answerButton === null ? await buttonOf(tx, person, message) : null
  if (person.answerTicketId === id && !button) return
  const isFirst = person.answeredAt === null
  const answeredAt = person.answeredAt ?? databaseTime()
  const answerButton = button?.buttonText.displayText ?? person.answerButton
  await changeDispatch(tx, person, {
    set: { answeredAt, answerTicketId: id, answerButton },
    counts: isFirst ? { answered: 1 } : {},
  })
  if (button) await act(tx, ticket, button, `campaign:${person.id}`)
}

/** The first message of a ticket that chooses a button with a queue or a flow is not greeted: it chose already. */
export async function onChosenQueue(tx: Tx, received: ReceivedMessage): Promise<boolean> {
  const { ticket, message, isNew } = received
  if (!isNew || !reachedLookup.of(received)) return false
  const person = await lastReached(tx, ticket.contactId, ticket.whatsappId)
  const button = person && person.answerButton === null ? await buttonOf(tx, person, message) : null
  if (!button || ticket.status !== 'pending') return false
  return Boolean(button.queueId) || (await playable(tx, button.flowId)) !== null
}

/** Null for an answer to something else, such as the menu of a bot or the question of a user. */
async function buttonOf(tx: Tx, person: DispatchRow, message: Message) {
  const { setupId } = await findCampaignRow(tx, person.campaignId)
  const setup = await setupOrNull(tx, setupId)
  const offer = setup && buttonsOffered(setup)
  const button = offer && buttonChosen(offer.buttons, message.body)
  return button && (await answersPost(tx, person, message)) ? button : null
}

/** What no longer exists does nothing. A ticket that a user has, or that a bot moved because of the message, stays where it is. */
async function act(
  tx: Tx,
  { id, contactId, queueId: before }: Ticket,
  button: CampaignButton,
  cause: string,
): Promise<void> {
  const { tagId, categoryId, queueId, flowId, startsBot } = button
  if (tagId) await attachTag(tx, id, tagId)
  if (categoryId) await addCategories(tx, contactId, [categoryId])
  if (!queueId && !flowId && !startsBot) return
  const now = await lockTicket(tx, id)
  if (now?.status !== 'pending' || now.userId !== null || now.queueId !== before) return
  const [known] = queueId ? await holdQueuesOrNone(tx, [queueId]) : []
  if (known) await transfer(tx, id, { queueId: known })
  if (flowId) await playChosen(tx, id, flowId, cause)
  else if (startsBot) await startSilentBot(tx, id, cause)
}

/** The flow speaks instead of a bot. */
async function playChosen(tx: Tx, ticketId: number, flowId: number, cause: string) {
  const known = await playable(tx, flowId)
  if (known === null) return
  await silenceBot(tx, ticketId)
  await startFlow(tx, (await loadTicket(tx, ticketId))!, known, cause, databaseTime())
}

/** The flow, where it exists and the company has flows and is not suspended: its messages would leave days later. */
async function playable(tx: Tx, flowId: number | null | undefined): Promise<number | null> {
  if (!flowId || !(await isSwitchedOn(tx, 'enableFlows')) || (await isSuspended(tx))) return null
  const [known = null] = await knownFlows(tx, [flowId])
  return known
}

/** A recipient opted out. */
export async function onOptOut(tx: Tx, contactId: number, whatsappId: number | null): Promise<void> {
  const person = await lastReached(tx, contactId, whatsappId)
  if (!person || person.optedOut) return
  await changeDispatch(tx, person, { set: { optedOut: true }, counts: { optedOut: 1 } })
  if (person.status === 'sending') await stopSending(tx, person)
}

/** Withdraws what is in the outbox; the clock is due at once, since no outcome will wake it. */
async function stopSending(tx: Tx, { id, whatsappId }: DispatchRow) {
  await withdrawRest(tx, id)
  if (whatsappId !== null) await setClock(tx, whatsappId, { lookAt: databaseNow() })
}
