import { randomUUID } from 'node:crypto'
import { isIgnored, typingMs } from '@balcao/contract/botConfigs.rules.ts'
import type { BotConfig } from '@balcao/contract/botConfigs.ts'
import type { Message } from '@balcao/contract/messages.ts'
import type { Ticket } from '@balcao/contract/tickets.ts'
import { databaseNow, databaseTime } from '../../platform/clock.ts'
import type { Tx } from '../../platform/scope.ts'
import { connectionsUnderWay } from '../connections/connections.queries.ts'
import { post } from '../messages/messages.actions.ts'
import { lockMessage } from '../messages/messages.queries.ts'
import { lastDue } from '../messages/outbox/waiting.queries.ts'
import { neverLeft, withdrawMessage } from '../messages/outbox/withdraw.actions.ts'
import {
  type DialogRow,
  insertDialog,
  lockDialogOf,
  nextPosition,
  saveDialog,
} from './botConfigs.dialogs.queries.ts'
import { dialogDue } from './botConfigs.events.ts'
import { botConfigOr } from './botConfigs.queries.ts'
import type { DialogEnding } from './botConfigs.table.ts'

interface Opening {
  message: Pick<Message, 'position' | 'body'> | null
  waits?: boolean
  pauseMs?: number
}

/**
 * Opens a dialog of a model on a waiting ticket, whose row the caller holds locked. With a message the model answers it. Without
 * one the initial messages are sent, and the model begins only where there are none and `waits` is false. A current dialog of
 * the same prompt continues. The model is asked after the delay of the prompt, or a pause of `pauseMs`. False when the prompt was deleted: nothing was opened.
 */
export async function openDialog(
  tx: Tx,
  ticket: Ticket,
  botConfigId: number,
  { message, waits = false, pauseMs = 0 }: Opening,
): Promise<boolean> {
  const config = await botConfigOr(tx, botConfigId)
  if (!config || ticket.isGroup) return false
  const current = await lockDialogOf(tx, ticket.id)
  if (current?.botConfigId === botConfigId && message) return continueDialog(tx, ticket.id, message, pauseMs)
  if (current) await endDialog(tx, current, 'closed')
  const begins = message
    ? !isIgnored(message.body, config.ignoreWords)
    : !waits && config.initialMessages.length === 0
  await insertDialog(tx, {
    ticketId: ticket.id,
    botConfigId,
    fromPosition: message?.position ?? (await nextPosition(tx, ticket.id)),
    turn: 0,
    dueFor: begins ? 'answer' : null,
    dueInMs: Math.max(config.firstDelay * 1000, pauseMs),
  })
  if (begins) tx.emit(dialogDue, {})
  for (const text of config.initialMessages) await sendInDialog(tx, ticket, text, config)
  return true
}

/**
 * The customer wrote, in the commit of that message. An answer that was not sent yet is withdrawn and the delay starts again, so
 * that all messages are answered together. False when the ticket has no dialog.
 */
export async function continueDialog(
  tx: Tx,
  ticketId: number,
  message: Pick<Message, 'position' | 'body'>,
  pauseMs = 0,
): Promise<boolean> {
  const dialog = await lockDialogOf(tx, ticketId)
  if (!dialog) return false
  const config = await botConfigOr(tx, dialog.botConfigId)
  // an ignored message does not restart a running turn
  if (config && isIgnored(message.body, config.ignoreWords)) return true
  const withdrawn = await withdrawLast(tx, dialog)
  await saveDialog(tx, dialog.id, {
    answers: dialog.answers - (withdrawn ? 1 : 0),
    turn: dialog.turn + 1,
    tries: 0,
    leaseUntil: null,
    lastMessageId: null,
    dueFor: 'answer',
    dueInMs: Math.max((config?.firstDelay ?? 0) * 1000, pauseMs),
  })
  tx.emit(dialogDue, {})
  return true
}

/** Closes the dialog of a ticket, if any, and withdraws an answer that was not sent yet. */
export async function closeDialog(tx: Tx, ticketId: number): Promise<void> {
  const dialog = await lockDialogOf(tx, ticketId)
  if (!dialog) return
  await withdrawLast(tx, dialog)
  await endDialog(tx, dialog, 'closed')
}

export const endDialog = (tx: Tx, { id, turn }: Pick<DialogRow, 'id' | 'turn'>, ending: DialogEnding) =>
  saveDialog(tx, id, {
    endedAt: databaseTime(),
    ending,
    turn: turn + 1,
    leaseUntil: null,
    dueFor: null,
  })

/** Inserts a message of the model into the outbox, after those that wait and its typing time. Null when the connection is not in use. */
export async function sendInDialog(
  tx: Tx,
  ticket: Pick<Ticket, 'id' | 'contactId' | 'whatsappId'>,
  body: string,
  pace: Pick<BotConfig, 'typingSpeed' | 'lastDelay'>,
): Promise<string | null> {
  const { whatsappId } = ticket
  if (whatsappId === null || !(await connectionsUnderWay(tx)).includes(whatsappId)) return null
  const now = databaseNow()
  const last = await lastDue(tx, ticket.id)
  // of what is overdue the order is kept too
  const afterMs = last === null ? 0 : Math.max(0, Date.parse(last) - now)
  const wait = afterMs + typingMs(body, pace)
  const at = (ms: number) => new Date(now + ms).toISOString()
  const draft = {
    id: randomUUID(),
    ticketId: ticket.id,
    contactId: ticket.contactId,
    whatsappId,
    source: 'bot' as const,
    userId: null,
    body,
    createdAt: at(1),
    ...((last !== null || wait > 0) && {
      dueAt: at(wait),
      typing: 'composing' as const,
      typingFrom: at(afterMs),
    }),
  }
  await post(tx, [draft], 'aside')
  return draft.id
}

/** True when the last answer was still in the outbox and is withdrawn. */
async function withdrawLast(tx: Tx, { lastMessageId }: DialogRow) {
  const row = lastMessageId ? await lockMessage(tx, lastMessageId) : null
  if (!row || !neverLeft(row) || row.dueAt === null) return false
  await withdrawMessage(tx, row)
  return true
}
