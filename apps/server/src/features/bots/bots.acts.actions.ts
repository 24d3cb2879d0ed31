import type { BotAct, BotNote } from '@balcao/contract/bots.acts.ts'
import { logicOf } from '@balcao/contract/bots.logic.rules.ts'
import type { Script } from '@balcao/contract/bots.script.rules.ts'
import type { BotState } from '@balcao/contract/bots.talk.ts'
import type { BotSetup } from '@balcao/contract/bots.ts'
import { type BotMessage, tapped, writtenOut } from '@balcao/contract/bots.words.rules.ts'
import type { Message } from '@balcao/contract/messages.ts'
import type { Ticket } from '@balcao/contract/tickets.ts'
import { idFrom } from '../../platform/ids.ts'
import type { Tx } from '../../platform/scope.ts'
import { closeDialog, continueDialog, openDialog } from '../botConfigs/botConfigs.dialogs.actions.ts'
import { libOf } from '../connections/connections.queries.ts'
import { keepAnswer } from '../contacts/contacts.answers.actions.ts'
import { addCategories } from '../contacts/contacts.categories.actions.ts'
import { setBotCommand } from '../contacts/contacts.queries.ts'
import { startFlow } from '../flows/flows.runs.actions.ts'
import { post } from '../messages/messages.actions.ts'
import { choicesPart } from '../messages/outbox/content.rules.ts'
import { lastDue } from '../messages/outbox/waiting.queries.ts'
import { resolve } from '../tickets/moves/closing.actions.ts'
import { transfer, writeHistory } from '../tickets/moves/moves.actions.ts'
import { attachTag } from '../tickets/tags/tags.actions.ts'
import type { HistoryKind } from '../tickets/tickets.events.ts'
import { callOut } from './bots.calls.worker.ts'
import { mediaOf } from './bots.commands.queries.ts'

/** One turn of a bot. */
export interface BotTurn {
  ticket: Ticket
  setup: BotSetup
  script: Script
  /** Idempotency key: the ids of its messages and calls follow from it. */
  cause: string
  /** The customer's message; null when a time was over or a user started the turn. */
  message: Message | null
  now: number
  state: BotState
}

/** Applies the acts of a turn in order, in the commit that keeps its state. */
export async function perform(tx: Tx, turn: BotTurn, does: BotAct[]): Promise<void> {
  const { ticket, state, now } = turn
  await setBotCommand(tx, ticket.contactId, state.number)
  let from = Math.max(now, Date.parse((await lastDue(tx, ticket.id)) ?? '') || 0)
  for (const [place, act] of does.entries()) {
    if (act.kind === 'say') from = await sendReply(tx, turn, act, place, from)
    else if (act.kind === 'flow') from = await play(tx, turn, act.flowId, place, from)
    else if (act.kind === 'webhook') await callOut(tx, turn, act, place)
    else if (act.kind === 'ask') await callOut(tx, turn, act, place, timeoutOf(turn, act.commandId))
    else if (act.kind === 'prompt') await promptModel(tx, turn, act, from > now)
    else await applyToTicket(tx, turn, act)
  }
}

function timeoutOf({ script }: BotTurn, commandId: number): number {
  return logicOf(script.byId.get(commandId) ?? { logic: null }).timeoutSeconds
}

async function play(tx: Tx, { ticket, cause }: BotTurn, flowId: number, place: number, from: number) {
  const ends = await startFlow(tx, ticket, flowId, `bot:${cause}:${place}`, new Date(from).toISOString())
  return Math.max(from, ends ? Date.parse(ends) : from)
}

type Act<Kind extends BotAct['kind']> = Extract<BotAct, { kind: Kind }>

/** Passes the message to the model. A message that only chose the model, after a reply of the bot, is not passed: it waits for the next. */
async function promptModel(
  tx: Tx,
  { ticket, message }: BotTurn,
  { botConfigId, begins, withText }: Act<'prompt'>,
  hasSent: boolean,
): Promise<void> {
  const received = withText ? message : null
  if (!begins && received && (await continueDialog(tx, ticket.id, received))) return
  await openDialog(tx, ticket, botConfigId, { message: received, waits: hasSent })
}

type Change = Exclude<BotAct, Act<'say' | 'flow' | 'webhook' | 'ask' | 'prompt'>>

async function applyToTicket(tx: Tx, { ticket }: BotTurn, act: Change): Promise<void> {
  const { id, contactId } = ticket
  switch (act.kind) {
    case 'tag':
      for (const tagId of act.tagIds) await attachTag(tx, id, tagId)
      return
    case 'categorize':
      return addCategories(tx, contactId, act.categoryIds)
    case 'keep':
      return keepAnswer(tx, contactId, act)
    case 'move': {
      const queue = act.queueId === null ? {} : { queueId: act.queueId }
      return void (await transfer(tx, id, { userId: act.userId, ...queue }))
    }
    case 'close':
      return void (await resolve(tx, id))
    case 'endPrompt':
      return closeDialog(tx, id)
    case 'note':
      await writeHistory(tx, id, noted[act.why], ticket, ticket)
      tx.note('a bot left a conversation to people', { ticketId: id, why: act.why })
  }
}

const noted: Record<BotNote, HistoryKind> = {
  machine: 'botGuarded',
  errors: 'botLeft',
  gone: 'botLeft',
  empty: 'botLeft',
}

/** Inserts one message after those that wait, delayed by its typing time. Returns when it is due (ms). */
async function sendReply(
  tx: Tx,
  { ticket, setup, cause, now }: BotTurn,
  reply: BotMessage,
  place: number,
  from: number,
) {
  const whatsappId = ticket.whatsappId
  if (whatsappId === null) return from
  const due = from + Number(setup.typingTime) * 1_000
  const media =
    reply.mediaUrl === null || reply.commandId === null ? null : await mediaOf(tx, reply.commandId)
  const choices =
    reply.style === 'text' || (await libOf(tx, whatsappId)) === 'baileys' ? null : tapped(reply, OPENS)
  const part = choices ? choicesPart(reply.text, choices) : { body: writtenOut(reply) }
  await post(
    tx,
    {
      ...part,
      ...(media && { mediaType: media.kind, mediaUrl: reply.mediaUrl, media: media.about }),
      id: idFrom(`bot:${cause}:${place}`),
      ticketId: ticket.id,
      contactId: ticket.contactId,
      whatsappId,
      source: 'bot',
      userId: null,
      createdAt: new Date(now + 1 + place).toISOString(),
      dueAt: new Date(due).toISOString(),
      typing: 'composing',
      typingFrom: new Date(from).toISOString(),
    },
    'aside',
  )
  return due
}

/** What opens a list on the customer's phone. */
const OPENS = 'Ver opções'
