import type { CampaignButton } from '@balcao/contract/campaignSetups.ts'
import { gapsOf, refusalsAfter, stopsAfter } from '@balcao/contract/campaigns.rules.ts'
import { buttonChosen } from '@balcao/contract/campaigns.words.rules.ts'
import { FAILED } from '@balcao/contract/messages.rules.ts'
import type { Message } from '@balcao/contract/messages.ts'
import type { Ticket } from '@balcao/contract/tickets.ts'
import { databaseNow, databaseTime } from '../../../platform/clock.ts'
import type { Tx } from '../../../platform/scope.ts'
import { LOOK_MS } from '../../../platform/work/due.ts'
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
import { clockSet } from '../campaigns.events.ts'
import { placeTicketJob } from '../campaigns.jobs.ts'
import { type DispatchRow, findCampaignRow } from '../campaigns.queries.ts'
import {
  answersPost,
  insertDepartures,
  type KnownPost,
  keepPostAcks,
  lastReached,
  lockClock,
  lockPosts,
  pauseClocks,
  reachedLookup,
} from './outcome.queries.ts'
import { setClock } from './run.queries.ts'
import {
  addCounts,
  type CampaignChanges,
  changeDispatch,
  changePeople,
  finishIfOver,
  pauseBySelf,
} from './status.actions.ts'
import { withdrawRest } from './withdrawal.actions.ts'
import { buttonsOffered } from './written.rules.ts'

/** Messages of campaigns were acknowledged or refused: updates recipients and counts, and the clocks of the connections. */
export async function settlePosts(tx: Tx, settled: Message[]): Promise<void> {
  const own = new Map(settled.flatMap(one => (one.source === 'campaign' ? [[one.id, one] as const] : [])))
  if (own.size === 0) return
  const known = await lockPosts(tx, [...own.keys()])
  const people = new Map(known.map(({ person }) => [person.id, person]))
  const news = known.flatMap(({ post, setup }) => {
    const { ack, failReason } = own.get(post.messageId)!
    return ack === post.ack ? [] : [{ post, setup, ack, failReason }]
  })
  const [refused, arrived] = [news.filter(isRefused), news.filter(one => !isRefused(one))]
  if (arrived.length > 0) await acknowledged(tx, people, arrived)
  for (const one of refused) await failed(tx, people, one)
}

type News = Pick<KnownPost, 'post' | 'setup'> & { ack: number; failReason: string }

const isRefused = ({ ack }: News) => ack === FAILED

/** The ack from which a message counts as sent. */
const SENT = 2

const DELIVERED = 3

const READ = 4

/** `people` holds them as they are afterwards. */
async function acknowledged(tx: Tx, people: Map<number, DispatchRow>, arrived: News[]) {
  const changes: CampaignChanges = new Map()
  const before = new Map(people)
  for (const one of arrived) arrive(people, changes, one)
  const personOf = ({ post }: News) => people.get(post.dispatchId)!
  const done = arrived.filter(isThrough)
  const pauses = done.flatMap(one => pauseAfter(personOf(one), one.setup, 0))
  const campaigns = await changePeople(
    tx,
    [...people.values()].filter(person => before.get(person.id) !== person),
    changes,
    [
      () =>
        keepPostAcks(
          tx,
          arrived.map(({ post, ack }) => ({ ...post, ack })),
        ),
      () => depart(tx, new Set(arrived.filter(isNew).map(personOf))),
      () => startPauses(tx, pauses),
    ],
  )
  for (const one of done) {
    const { ticketId, campaignId } = personOf(one)
    // the setup decides the status of a ticket without an answer (CAMP-053); a commit of its own
    if (ticketId !== null && one.setup && one.setup.ticketSetStatus !== 'closed')
      await tx.enqueue(placeTicketJob, { ticketId, campaignId })
  }
  for (const campaignId of new Set(done.map(one => personOf(one).campaignId)))
    await finishIfOver(tx, campaigns.get(campaignId)!)
}

const isNew = ({ post, ack }: News) => post.ack < SENT && ack >= SENT

/** The last message of a recipient: with it the recipient is done. */
const isThrough = (one: News) => isNew(one) && one.post.isLast

/** What an acknowledgement changes of its recipient and in the counts of its campaign. */
function arrive(people: Map<number, DispatchRow>, changes: CampaignChanges, one: News): void {
  const { post, ack } = one
  const was = people.get(post.dispatchId)!
  const now = databaseTime()
  const isMessage = post.part === 'message'
  const set: Partial<DispatchRow> = {
    ...(isNew(one) && post.part === 'greeting' && { greetingSendAt: now }),
    ...(isNew(one) && isMessage && { messageSendAt: now }),
    ...(isMessage && { ack }),
    ...(isThrough(one) && { status: 'sent', reason: '' }),
  }
  if (Object.keys(set).length > 0) people.set(was.id, { ...was, ...set })
  // delivered and read count for the message, not for its greeting
  addCounts(changes, was.campaignId, {
    ...(isMessage && crossed(DELIVERED, was.ack, ack) && { delivered: 1 }),
    ...(isMessage && crossed(READ, was.ack, ack) && { read: 1 }),
    ...(isThrough(one) && { [was.status === 'sending' ? 'sending' : 'failed']: -1, sent: 1 }),
  })
}

const crossed = (line: number, before: number, now: number) => before < line && now >= line

async function depart(tx: Tx, people: Iterable<DispatchRow>) {
  const { companyId } = tx
  const at = databaseTime()
  const left = [...people].flatMap(({ id: dispatchId, whatsappId }) =>
    whatsappId === null ? [] : [{ companyId, dispatchId, whatsappId, at }],
  )
  if (left.length > 0) await insertDepartures(tx.sql, left)
}

async function failed(
  tx: Tx,
  people: Map<number, DispatchRow>,
  { post, setup, failReason: reason }: News,
): Promise<void> {
  const person = people.get(post.dispatchId)!
  const keep = () => keepPostAcks(tx, [{ ...post, ack: FAILED }])
  if (person.status === 'sentFail') return void (await keep())
  const { campaignId, whatsappId } = person
  const wasSent = person.status === 'sent'
  const set = { status: 'sentFail', reason, ack: FAILED } as const
  people.set(person.id, { ...person, ...set })
  await changeDispatch(tx, person, set, { [wasSent ? 'sent' : 'sending']: -1, failed: 1 }, [keep])
  await withdrawRest(tx, person.id)
  if (whatsappId === null) return
  const clock = await lockClock(tx, whatsappId)
  const refusals = refusalsAfter(clock?.refusals ?? 0, reason)
  // it was counted when it was sent, and its pause has begun
  if (wasSent) await setClock(tx, whatsappId, { refusals })
  else {
    await depart(tx, [person])
    await startPauses(tx, pauseAfter(person, setup, refusals))
  }
  const stop = stopsAfter(reason, refusals)
  if (stop) await pauseBySelf(tx, campaignId, stop, reason)
  await finishIfOver(tx, await findCampaignRow(tx, campaignId))
}

/** A connection pauses from now on that the last message to a recipient was sent; not where the campaign has no setup any more. */
const pauseAfter = ({ whatsappId }: DispatchRow, setup: News['setup'], refusals: number) =>
  whatsappId === null || !setup ? [] : [{ whatsappId, ms: gapsOf(setup, Math.random).toNext, refusals }]

async function startPauses(tx: Tx, pauses: ReturnType<typeof pauseAfter>) {
  await pauseClocks(tx, pauses)
  // the workers would look each second only
  if (pauses.some(({ ms }) => ms < LOOK_MS)) tx.emit(clockSet, {})
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
  const set = { answeredAt, answerTicketId: id, answerButton }
  await changeDispatch(tx, person, set, isFirst ? { answered: 1 } : {})
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
  await changeDispatch(tx, person, { optedOut: true }, { optedOut: 1 })
  if (person.status === 'sending') await stopSending(tx, person)
}

/** Withdraws what is in the outbox; the clock is due at once, since no outcome will wake it. */
async function stopSending(tx: Tx, { id, whatsappId }: DispatchRow) {
  await withdrawRest(tx, id)
  if (whatsappId !== null) await setClock(tx, whatsappId, { lookAt: databaseNow() })
}
