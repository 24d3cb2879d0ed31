import { randomUUID } from 'node:crypto'
import { isIgnored, typingMs } from '@balcao/contract/botConfigs.rules.ts'
import type { BotConfig } from '@balcao/contract/botConfigs.ts'
import type { Message } from '@balcao/contract/messages.ts'
import type { Ticket } from '@balcao/contract/tickets.ts'
import type { Tx } from '../../platform/scope.ts'
import { connectionsUnderWay } from '../connections/connections.queries.ts'
import { post } from '../messages/messages.actions.ts'
import { lockMessage } from '../messages/messages.queries.ts'
import { lastDue, neverLeft, withdrawMessage } from '../messages/messages.withdraw.ts'
import { dialogDue } from './botConfigs.events.ts'
import { botConfigOr } from './botConfigs.queries.ts'
import { type DialogRow, insertDialog, lockDialogOf, nextPosition, saveDialog } from './botConfigs.store.ts'
import type { DialogEnding } from './botConfigs.table.ts'

/**
 * A model takes up the conversation of a waiting ticket, whose row the caller holds. With a message it is answered;
 * without one the initial messages are said, and the model begins only where there are none and it need not wait for
 * the customer. One that lives already goes on. False when the configuration is gone: nothing was opened, and the
 * caller finds somebody else.
 */
export async function openDialog(
  tx: Tx,
  ticket: Ticket,
  botConfigId: number,
  { message, waits = false }: { message: Pick<Message, 'position' | 'body'> | null; waits?: boolean },
): Promise<boolean> {
  const config = await botConfigOr(tx, botConfigId)
  if (!config || ticket.isGroup) return false
  const living = await lockDialogOf(tx, ticket.id)
  if (living?.botConfigId === botConfigId && message) return heard(tx, ticket.id, message)
  if (living) await end(tx, living, 'closed')
  const begins = message
    ? !isIgnored(message.body, config.ignoreWords)
    : !waits && config.initialMessages.length === 0
  await insertDialog(tx, {
    ticketId: ticket.id,
    botConfigId,
    fromPosition: message?.position ?? (await nextPosition(tx, ticket.id)),
    turn: 0,
    dueFor: begins ? 'answer' : null,
    dueInMs: config.firstDelay * 1000,
  })
  if (begins) tx.emit(dialogDue, {})
  for (const text of config.initialMessages) await say(tx, ticket, text, config)
  return true
}

/**
 * The customer of a ticket wrote; within that commit. The quiet begins anew, and an answer that has not left yet is taken
 * back: what was written is answered together. False when no dialog lives on the ticket.
 */
export async function heard(
  tx: Tx,
  ticketId: number,
  message: Pick<Message, 'position' | 'body'>,
): Promise<boolean> {
  const dialog = await lockDialogOf(tx, ticketId)
  if (!dialog) return false
  const config = await botConfigOr(tx, dialog.botConfigId)
  // a word that is not answered leaves what is under way as it is
  if (config && isIgnored(message.body, config.ignoreWords)) return true
  const unsaid = await takeBack(tx, dialog)
  await saveDialog(tx, dialog.id, {
    answers: dialog.answers - (unsaid ? 1 : 0),
    turn: dialog.turn + 1,
    tries: 0,
    leaseUntil: null,
    lastMessageId: null,
    dueFor: 'answer',
    dueInMs: (config?.firstDelay ?? 0) * 1000,
  })
  tx.emit(dialogDue, {})
  return true
}

/** The model says no more here: what it has not said yet stays unsaid. Nothing happens where none talks. */
export async function closeDialog(tx: Tx, ticketId: number): Promise<void> {
  const dialog = await lockDialogOf(tx, ticketId)
  if (!dialog) return
  await takeBack(tx, dialog)
  await end(tx, dialog, 'closed')
}

/** A dialog is over; what was said stays said. */
export const end = (tx: Tx, { id, turn }: Pick<DialogRow, 'id' | 'turn'>, ending: DialogEnding) =>
  saveDialog(tx, id, {
    endedAt: new Date().toISOString(),
    ending,
    turn: turn + 1,
    leaseUntil: null,
    dueFor: null,
  })

/** Puts the model's words in the outbox, typed at its pace behind what waits; null where the connection is not in use. */
export async function say(
  tx: Tx,
  ticket: Pick<Ticket, 'id' | 'contactId' | 'whatsappId'>,
  body: string,
  pace: Pick<BotConfig, 'typingSpeed' | 'lastDelay'>,
): Promise<string | null> {
  const { whatsappId } = ticket
  if (whatsappId === null || !(await connectionsUnderWay(tx)).includes(whatsappId)) return null
  const now = Date.now()
  const last = await lastDue(tx, ticket.id)
  // what is late leaves later still: whatever has a time too stays behind it
  const afterMs = last === null ? 0 : Math.max(0, Date.parse(last) - now)
  const wait = afterMs + typingMs(body, pace)
  const at = (ms: number) => new Date(now + ms).toISOString()
  const message = await post(
    tx,
    {
      id: randomUUID(),
      ticketId: ticket.id,
      contactId: ticket.contactId,
      whatsappId,
      source: 'bot',
      userId: null,
      body,
      createdAt: at(1),
      ...((last !== null || wait > 0) && {
        dueAt: at(wait),
        typing: 'composing' as const,
        typingFrom: at(afterMs),
      }),
    },
    'aside',
  )
  return message.id
}

/** True when the last answer had not left, and never will. */
async function takeBack(tx: Tx, { lastMessageId }: DialogRow) {
  const row = lastMessageId ? await lockMessage(tx, lastMessageId) : null
  if (!row || !neverLeft(row) || row.dueAt === null) return false
  await withdrawMessage(tx, row)
  return true
}
