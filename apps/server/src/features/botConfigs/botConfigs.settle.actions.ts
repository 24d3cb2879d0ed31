import { nextTry, SILENCE_MINUTES } from '@balcao/contract/botConfigs.rules.ts'
import type { BotConfig } from '@balcao/contract/botConfigs.ts'
import { cut } from '@balcao/contract/cut.rules.ts'
import { databaseNow } from '../../platform/clock.ts'
import type { Scope, Tx } from '../../platform/scope.ts'
import { lastAutomaticAt } from '../messages/outbox/waiting.queries.ts'
import { resolve } from '../tickets/moves/closing.actions.ts'
import { transfer } from '../tickets/moves/moves.actions.ts'
import { attachTag } from '../tickets/tags/tags.actions.ts'
import { loadTicket, lockTicket } from '../tickets/tickets.queries.ts'
import type { CountedReply, Reply } from './botConfigs.answer.worker.ts'
import { endDialog, sendInDialog } from './botConfigs.dialogs.actions.ts'
import { type Claim, type DialogRow, dialogOr, lockDialog, saveDialog } from './botConfigs.dialogs.queries.ts'
import { dialogEnded, trialChanged } from './botConfigs.events.ts'
import { botConfigOr, insertAnswer, updateOutcome } from './botConfigs.queries.ts'
import type { DialogEnding } from './botConfigs.table.ts'

/** The last message of a dialog is sent without typing time. */
const AT_ONCE = { typingSpeed: 0, lastDelay: 0 }

const RETRY_MS = 2_000

/** One commit: the model's answer and the changes of the ticket. The answer of a past turn is only counted. */
export const settleReply = (
  scope: Scope,
  claim: Claim,
  config: BotConfig,
  reply: CountedReply,
): Promise<void> =>
  scope.transaction(async tx => {
    const held = await lockTurn(tx, claim)
    if (!held) return
    await keepOutcome(tx, reply, outcomeOf(reply))
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
      dueInMs: Math.max(0, await untilLeft(tx, held.ticketId)) + SILENCE_MS,
    })
  })

const SILENCE_MS = SILENCE_MINUTES * 60_000

/** Milliseconds until the last automatic message of a ticket leaves; negative when it has left. */
async function untilLeft(tx: Tx, ticketId: number): Promise<number> {
  const at = await lastAutomaticAt(tx, ticketId)
  return at === null ? Number.NEGATIVE_INFINITY : Date.parse(at) - databaseNow()
}

/** A turn that threw counts as a try, so that it ends with people. */
export async function settleThrown(scope: Scope, claim: Claim): Promise<void> {
  await scope.transaction(async tx => {
    const held = await lockTurn(tx, claim)
    if (!held) return void (await endTrial(tx, claim))
    const config = await botConfigOr(tx, held.botConfigId)
    if (config) return failed(tx, held, config, { failure: 'ours', detail: '', ms: 0, retryAfterMs: 0 })
    await finish(tx, held, 'gone')
  })
}

/** A trial that threw ends without an answer. */
async function endTrial(tx: Tx, claim: Claim): Promise<void> {
  const dialog = await lockDialog(tx, claim.id)
  if (dialog?.turn !== claim.turn || dialog.ticketId !== null) return
  await saveDialog(tx, dialog.id, { leaseUntil: null, dueFor: null, tries: 0 })
  tx.emit(trialChanged, { botConfigId: dialog.botConfigId, push: { action: 'status', status: 'online' } })
}

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

/** The customer is silent since the last answer left: asks once, and waits as long again. */
export const askSilent = (scope: Scope, claim: Claim, config: BotConfig): Promise<void> =>
  scope.transaction(async tx => {
    const held = await lockTurn(tx, claim)
    if (!held) return
    const rest = (await untilLeft(tx, held.ticketId)) + SILENCE_MS
    if (rest > 0)
      return void (await saveDialog(tx, held.id, { leaseUntil: null, dueFor: 'silence', dueInMs: rest }))
    const ticket = (await loadTicket(tx, held.ticketId))!
    if (config.inactivityMessage.trim()) await sendInDialog(tx, ticket, config.inactivityMessage, AT_ONCE)
    await saveDialog(tx, held.id, { leaseUntil: null, dueFor: 'parting', dueInMs: SILENCE_MS })
  })

/** The customer is still silent: escalates to the queue of the prompt. */
export const breakSilence = (scope: Scope, claim: Claim, config: BotConfig): Promise<void> =>
  scope.transaction(async tx => {
    const held = await lockTurn(tx, claim)
    if (held) await escalate(tx, held, 'silence', { queueId: config.lastQueueId, text: '' })
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
async function failed(
  tx: Tx,
  held: Held,
  config: BotConfig,
  { failure, detail, ms, retryAfterMs }: Pick<Reply, 'failure' | 'detail' | 'ms' | 'retryAfterMs'>,
) {
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

/** Counts a call or a failure, as discarded until it is settled. Returns its row; null for a turn without a call. */
export async function countAnswer(
  tx: Tx,
  { id: botConfigId, model }: BotConfig,
  { promptTokens, completionTokens, ms, failure, detail }: Reply,
  ticketId: number | null,
): Promise<number | null> {
  // a trial without an integration costs nothing
  if ((ms === 0 && failure === null) || (ticketId === null && failure === 'none')) return null
  return insertAnswer(tx, {
    ...{ botConfigId, ticketId, model, promptTokens, completionTokens, ms, outcome: 'discarded', failure },
    detail: cut(detail.replaceAll('\0', ''), 300),
  })
}

/** What came of a call that was counted. */
export async function keepOutcome(
  tx: Tx,
  { answerId }: CountedReply,
  outcome: ReturnType<typeof outcomeOf>,
): Promise<void> {
  if (answerId !== null) await updateOutcome(tx, answerId, outcome)
}
