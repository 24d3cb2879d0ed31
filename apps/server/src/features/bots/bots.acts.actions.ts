import type { BotAct, BotNote } from '@balcao/contract/bots.acts.ts'
import { logicOf } from '@balcao/contract/bots.logic.rules.ts'
import type { Script } from '@balcao/contract/bots.script.rules.ts'
import type { BotLine, BotState } from '@balcao/contract/bots.talk.ts'
import type { BotSetup } from '@balcao/contract/bots.ts'
import { asPoll, type BotMessage, tapIdsOf, tapped, writtenParts } from '@balcao/contract/bots.words.rules.ts'
import type { Lib } from '@balcao/contract/connections.ts'
import type { Ticket } from '@balcao/contract/tickets.ts'
import { databaseTime } from '../../platform/clock.ts'
import { idFrom } from '../../platform/ids.ts'
import type { Tx } from '../../platform/scope.ts'
import { closeDialog, continueDialog, openDialog } from '../botConfigs/botConfigs.dialogs.actions.ts'
import { libOf } from '../connections/connections.queries.ts'
import { keepAnswer } from '../contacts/contacts.answers.actions.ts'
import { addCategories } from '../contacts/contacts.categories.actions.ts'
import { setBotCommand } from '../contacts/contacts.queries.ts'
import { startFlow } from '../flows/flows.runs.actions.ts'
import { post } from '../messages/messages.actions.ts'
import { loadMessage } from '../messages/messages.queries.ts'
import { choicesPart, type Part, pollPart } from '../messages/outbox/content.rules.ts'
import { tellHours } from '../messages/outbox/greetings.actions.ts'
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
  /** The customer's messages; none when a time was over or a user started the turn. */
  lines: BotLine[]
  now: number
  state: BotState
}

/** Applies the acts of a turn in order, in the commit that keeps its state. */
export async function perform(tx: Tx, turn: BotTurn, does: BotAct[]): Promise<void> {
  const { ticket, state, now, setup } = turn
  await setBotCommand(tx, ticket.contactId, state.number)
  // the end of a burst was waited for: that is typing time too
  const since = turn.lines.length > 0 ? now - setup.burstSeconds * 1_000 : now
  let from = Math.max(since, Date.parse((await lastDue(tx, ticket.id)) ?? '') || 0)
  for (const [place, act] of does.entries()) {
    if (act.kind === 'say') from = await sendReply(tx, turn, act, place, from)
    else if (act.kind === 'flow') from = await play(tx, turn, act.flowId, place, from)
    else if (act.kind === 'webhook') await callOut(tx, turn, act, place)
    else if (act.kind === 'ask') await callOut(tx, turn, act, place, timeoutOf(turn, act.commandId))
    else if (act.kind === 'prompt') await promptModel(tx, turn, act, { hasSent: from > now })
    else await applyToTicket(tx, turn, act)
  }
}

function timeoutOf({ script }: BotTurn, commandId: number): number {
  return logicOf(script.byId.get(commandId) ?? { logic: null }).timeoutSeconds
}

async function play(tx: Tx, { ticket, cause, now }: BotTurn, flowId: number, place: number, from: number) {
  const startAt = new Date(Math.max(now, from)).toISOString()
  const ends = await startFlow(tx, ticket, flowId, `bot:${cause}:${place}`, startAt)
  return Math.max(from, ends ? Date.parse(ends) : from)
}

type Act<Kind extends BotAct['kind']> = Extract<BotAct, { kind: Kind }>

/** Passes the message to the model. A message that only chose the model, after a reply of the bot, is not passed: it waits for the next. */
async function promptModel(
  tx: Tx,
  { ticket, lines, setup }: BotTurn,
  { botConfigId, begins, withText }: Act<'prompt'>,
  { hasSent }: { hasSent: boolean },
): Promise<void> {
  const first = withText && lines[0] ? await loadMessage(tx, lines[0].messageId) : null
  const message = first && { position: first.position, body: lines.map(({ text }) => text).join('\n') }
  const pauseMs = setup.burstSeconds * 1_000
  if (!begins && message && (await continueDialog(tx, ticket.id, message, pauseMs))) return
  await openDialog(tx, ticket, botConfigId, { message, waits: hasSent, pauseMs })
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
      // people have it now, who are not there outside the hours
      return tellHours(tx, await transfer(tx, id, { userId: act.userId, ...queue }), databaseTime())
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

/** Inserts a reply after those that wait, delayed by its typing time; a long one as several. Returns when the last is due (ms). */
async function sendReply(tx: Tx, turn: BotTurn, reply: BotMessage, place: number, from: number) {
  const { ticket, setup, cause, now } = turn
  const whatsappId = ticket.whatsappId
  if (whatsappId === null) return from
  const media =
    reply.mediaUrl === null || reply.commandId === null ? null : await mediaOf(tx, reply.commandId)
  const parts =
    (reply.style === 'text' ? null : offered(reply, await libOf(tx, whatsappId))) ??
    writtenParts(media ? reply : { ...reply, mediaUrl: null }).map(body => ({ body }))
  let typedFrom = from
  const drafts = parts.map((part, at) => {
    const due = Math.max(now, typedFrom + Number(setup.typingTime) * 1_000)
    const typingFrom = new Date(Math.max(now, typedFrom)).toISOString()
    typedFrom = due
    return {
      ...part,
      ...(media && at === 0 && { mediaType: media.kind, mediaUrl: reply.mediaUrl, media: media.about }),
      id: idFrom(`bot:${cause}:${place}${at === 0 ? '' : `:${at}`}`),
      ticketId: ticket.id,
      contactId: ticket.contactId,
      whatsappId,
      source: 'bot' as const,
      userId: null,
      createdAt: new Date(now + 1 + place).toISOString(),
      dueAt: new Date(due).toISOString(),
      typing: 'composing' as const,
      typingFrom,
    }
  })
  await post(tx, drafts, 'aside')
  return typedFrom
}

/** The choices as the connection shows them for a vote or a tap; null where they are written. */
function offered(reply: BotMessage, lib: Lib | null): Part[] | null {
  const poll = lib === 'cloud' ? null : asPoll(reply)
  if (poll) return [pollPart(poll, tapIdsOf(reply))]
  const choices = lib === 'baileys' ? null : tapped(reply, OPENS)
  return choices && [choicesPart(reply.text, choices, tapIdsOf(reply))]
}

/** What opens a list on the customer's phone. */
const OPENS = 'Ver opções'
