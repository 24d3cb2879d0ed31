import type { BotAct, BotNote } from '@balcao/contract/bots.turn.rules.ts'
import { type BotSaid, tapped, writtenOut } from '@balcao/contract/bots.words.rules.ts'
import { idFrom } from '../../platform/ids.ts'
import type { Tx } from '../../platform/scope.ts'
import { closeDialog, heard, openDialog } from '../botConfigs/botConfigs.dialogs.ts'
import { libOf } from '../connections/connections.queries.ts'
import { placeBot } from '../contacts/contacts.actions.ts'
import { addCategories } from '../contacts/contacts.categories.ts'
import { startFlow } from '../flows/flows.running.ts'
import { post } from '../messages/messages.actions.ts'
import { choicesPart } from '../messages/messages.content.ts'
import { lastDue } from '../messages/messages.withdraw.ts'
import { resolve, transfer } from '../tickets/tickets.actions.ts'
import { type HistoryKind, writeHistory } from '../tickets/tickets.history.ts'
import { attachTag } from '../tickets/tickets.tags.ts'
import type { Occasion } from './bots.cause.ts'
import { mediaOf } from './bots.commands.ts'
import { callOut } from './bots.webhooks.ts'

/** Does what a turn came to, in its order, within the commit that keeps its state. */
export async function perform(tx: Tx, occasion: Occasion, does: BotAct[]): Promise<void> {
  const { ticket, state, now } = occasion
  await placeBot(tx, ticket.contactId, state.number)
  let from = Math.max(now, Date.parse((await lastDue(tx, ticket.id)) ?? '') || 0)
  for (const [place, act] of does.entries()) {
    if (act.kind === 'say') from = await say(tx, occasion, act, place, from)
    else if (act.kind === 'flow') from = await play(tx, occasion, act.flowId, place, from)
    else if (act.kind === 'webhook') await callOut(tx, occasion, act, place)
    else if (act.kind === 'prompt') await giveWord(tx, occasion, act, from > now)
    else await change(tx, occasion, act)
  }
}

async function play(tx: Tx, { ticket, cause }: Occasion, flowId: number, place: number, from: number) {
  const ends = await startFlow(tx, ticket, flowId, `bot:${cause}:${place}`, new Date(from).toISOString())
  return Math.max(from, ends ? Date.parse(ends) : from)
}

type Act<Kind extends BotAct['kind']> = Extract<BotAct, { kind: Kind }>

/** The model hears what was written; where that only chose it and the bot has spoken, it waits for the next words. */
async function giveWord(
  tx: Tx,
  { ticket, message }: Occasion,
  { botConfigId, begins, hears }: Act<'prompt'>,
  hasSpoken: boolean,
): Promise<void> {
  const words = hears ? message : null
  if (!begins && words && (await heard(tx, ticket.id, words))) return
  await openDialog(tx, ticket, botConfigId, { message: words, waits: hasSpoken })
}

type Change = Exclude<BotAct, Act<'say' | 'flow' | 'webhook' | 'prompt'>>

/** What happens to the ticket and its contact. */
async function change(tx: Tx, { ticket }: Occasion, act: Change): Promise<void> {
  const { id, contactId } = ticket
  switch (act.kind) {
    case 'tag':
      for (const tagId of act.tagIds) await attachTag(tx, id, tagId)
      return
    case 'categorize':
      return addCategories(tx, contactId, act.categoryIds)
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

/** One message, behind what waits already, after the time it takes to type. Answers when it leaves. */
async function say(
  tx: Tx,
  { ticket, setup, cause, now }: Occasion,
  said: BotSaid,
  place: number,
  from: number,
) {
  const whatsappId = ticket.whatsappId
  if (whatsappId === null) return from
  const due = from + Number(setup.typingTime) * 1_000
  const media = said.mediaUrl === null || said.commandId === null ? null : await mediaOf(tx, said.commandId)
  const choices =
    said.style === 'text' || (await libOf(tx, whatsappId)) === 'baileys' ? null : tapped(said, OPENS)
  const part = choices ? choicesPart(said.text, choices) : { body: writtenOut(said) }
  await post(
    tx,
    {
      ...part,
      ...(media && { mediaType: media.kind, mediaUrl: said.mediaUrl, media: media.about }),
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
