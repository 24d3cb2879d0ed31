import { nextTry, SILENCE_MINUTES } from '@balcao/contract/botConfigs.rules.ts'
import type { BotConfig } from '@balcao/contract/botConfigs.ts'
import { cut } from '@balcao/contract/cut.rules.ts'
import type { Scope, Tx } from '../../platform/scope.ts'
import { resolve } from '../tickets/moves/closing.actions.ts'
import { transfer } from '../tickets/moves/moves.actions.ts'
import { attachTag } from '../tickets/tags/tags.actions.ts'
import { loadTicket, lockTicket } from '../tickets/tickets.queries.ts'
import type { Reply } from './botConfigs.answer.worker.ts'
import { endDialog, sendInDialog } from './botConfigs.dialogs.actions.ts'
import { type Claim, type DialogRow, dialogOr, lockDialog, saveDialog } from './botConfigs.dialogs.queries.ts'
import { dialogEnded } from './botConfigs.events.ts'
import { insertAnswer } from './botConfigs.queries.ts'
import type { DialogEnding } from './botConfigs.table.ts'

/** The last message of a dialog is sent without typing time. */
const AT_ONCE = { typingSpeed: 0, lastDelay: 0 }

const RETRY_MS = 2_000

/** One commit: the model's answer, its tokens and the changes of the ticket. The answer of a past turn is only counted. */
export const settleReply = (scope: Scope, claim: Claim, config: BotConfig, reply: Reply): Promise<void> =>
  scope.transaction(async tx => {
    const held = await lockTurn(tx, claim)
    const outcome = held === null ? 'discarded' : outcomeOf(reply)
    const ticketId = held?.ticketId ?? (await dialogOr(tx, claim.id))?.ticketId ?? null
    await countAnswer(tx, config, reply, outcome, ticketId)
    if (!held) return
    if (reply.failure) return failed(tx, held, config, reply)
    for (const tagId of reply.tagIds) await attachTag(tx, held.ticketId, tagId)
    if (reply.escalate)
      return escalate(tx, held, 'handedOver', {
        queueId: reply.escalate.queueId ?? config.lastQueueId,
        text: reply.text || config.messageForMaxMessagesExceeded,
      })
    const ticket = (await loadTicket(tx, held.ticketId))!
    const lastMessageId = reply.text
      ? await sendInDialog(tx, ticket, reply.text, reply.ends ? AT_ONCE : config)
      : null
    if (reply.ends) {
      await finish(tx, held, 'resolved')
      await resolve(tx, held.ticketId)
      return
    }
    await saveDialog(tx, held.id, {
      answers: held.answers + 1,
      tries: 0,
      leaseUntil: null,
      lastMessageId,
      dueFor: 'silence',
      dueInMs: SILENCE_MINUTES * 60_000,
    })
  })

/** Ends a dialog without a call: the prompt was deleted, a user accepted the ticket, or the limit is reached. */
export const settleWithout = (
  scope: Scope,
  claim: Claim,
  ending: DialogEnding,
  config: BotConfig | null,
): Promise<void> =>
  scope.transaction(async tx => {
    const held = await lockTurn(tx, claim)
    if (!held) return
    if (ending === 'closed') return void (await endDialog(tx, held, ending))
    await escalate(tx, held, ending, {
      queueId: config?.lastQueueId ?? null,
      text: config?.messageForMaxMessagesExceeded ?? '',
    })
  })

/** The turn is due again in a moment. */
export const settleLater = (scope: Scope, claim: Claim): Promise<void> =>
  scope.transaction(async tx => {
    const held = await lockTurn(tx, claim)
    if (held) await saveDialog(tx, held.id, { leaseUntil: null, dueFor: 'answer', dueInMs: RETRY_MS })
  })

/** The customer did not answer: sends the message of inactivity and escalates to the queue of the prompt. */
export const breakSilence = (scope: Scope, claim: Claim, config: BotConfig): Promise<void> =>
  scope.transaction(async tx => {
    const held = await lockTurn(tx, claim)
    if (held)
      await escalate(tx, held, 'silence', { queueId: config.lastQueueId, text: config.inactivityMessage })
  })

type Held = DialogRow & { ticketId: number }

/** Locks ticket, then dialog (the order of all locks). Null when the turn is past or a user has accepted the ticket. */
async function lockTurn(tx: Tx, { id, turn }: Claim): Promise<Held | null> {
  const ticketId = (await dialogOr(tx, id))?.ticketId ?? null
  if (ticketId === null) return null
  const ticket = await lockTicket(tx, ticketId)
  const dialog = await lockDialog(tx, id)
  if (!dialog || dialog.turn !== turn || ticket === null) return null
  if (ticket.status === 'pending' && ticket.userId === null) return { ...dialog, ticketId }
  await endDialog(tx, dialog, 'closed')
  return null
}

/** Retries with backoff where that may help, else escalates. */
async function failed(tx: Tx, held: Held, config: BotConfig, { failure, detail, ms, retryAfterMs }: Reply) {
  const tries = held.tries + 1
  const pause = nextTry(failure!, { tries, ms, retryAfterMs })
  if (pause !== null)
    return void (await saveDialog(tx, held.id, {
      tries,
      leaseUntil: null,
      dueFor: 'answer',
      dueInMs: pause,
    }))
  tx.note('a model did not answer: people take over', { ticketId: held.ticketId, failure, detail })
  await escalate(tx, held, 'failed', {
    queueId: config.lastQueueId,
    text: config.messageForMaxMessagesExceeded,
  })
}

async function escalate(
  tx: Tx,
  held: Held,
  ending: DialogEnding,
  { queueId, text }: { queueId: number | null; text: string },
) {
  const ticket = (await loadTicket(tx, held.ticketId))!
  if (text.trim()) await sendInDialog(tx, ticket, text, AT_ONCE)
  await finish(tx, held, ending)
  if (queueId !== null && queueId !== ticket.queueId) await transfer(tx, held.ticketId, { queueId })
}

/** The dialog ends before the ticket moves: listeners of the move find no dialog. */
async function finish(tx: Tx, held: Held, ending: DialogEnding) {
  await endDialog(tx, held, ending)
  await tx.involve(dialogEnded, { ticketId: held.ticketId, ending })
}

const outcomeOf = ({ failure, escalate, ends }: Reply) =>
  failure ? 'failed' : escalate ? 'handedOver' : ends ? 'ended' : 'said'

/** Counts calls and failures; a turn without a call is not counted. */
export async function countAnswer(
  tx: Tx,
  { id: botConfigId, model }: BotConfig,
  { promptTokens, completionTokens, ms, failure, detail }: Reply,
  outcome: ReturnType<typeof outcomeOf> | 'discarded',
  ticketId: number | null,
): Promise<void> {
  if (ms === 0 && failure === null) return
  await insertAnswer(tx, {
    ...{ botConfigId, ticketId, model, promptTokens, completionTokens, ms, outcome, failure },
    detail: cut(detail, 300),
  })
}
