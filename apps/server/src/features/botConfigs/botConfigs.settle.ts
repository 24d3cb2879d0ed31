import { nextTry, SILENCE_MINUTES } from '@balcao/contract/botConfigs.rules.ts'
import type { BotConfig } from '@balcao/contract/botConfigs.ts'
import type { Scope, Tx } from '../../platform/scope.ts'
import { resolve, transfer } from '../tickets/tickets.actions.ts'
import { loadTicket, lockTicket } from '../tickets/tickets.queries.ts'
import { attachTag } from '../tickets/tickets.tags.ts'
import type { Reply } from './botConfigs.converse.ts'
import { end, say } from './botConfigs.dialogs.ts'
import { dialogEnded } from './botConfigs.events.ts'
import { insertAnswer } from './botConfigs.queries.ts'
import { type Claim, type DialogRow, dialogOr, lockDialog, saveDialog } from './botConfigs.store.ts'
import type { DialogEnding } from './botConfigs.table.ts'

/** Typed by nobody: what is said when the conversation leaves the model leaves at once. */
const AT_ONCE = { typingSpeed: 0, lastDelay: 0 }
const LATER_MS = 2_000

/** What a model answered, its tokens, and what it does to the ticket: one commit. What came too late is only counted. */
export const settleReply = (scope: Scope, claim: Claim, config: BotConfig, reply: Reply): Promise<void> =>
  scope.transaction(async tx => {
    const held = await hold(tx, claim)
    const outcome = held === null ? 'discarded' : outcomeOf(reply)
    const ticketId = held?.ticketId ?? (await dialogOr(tx, claim.id))?.ticketId ?? null
    await countAnswer(tx, config, reply, outcome, ticketId)
    if (!held) return
    if (reply.failure) return failed(tx, held, config, reply)
    for (const tagId of reply.tagIds) await attachTag(tx, held.ticketId, tagId)
    if (reply.handOver)
      return handOver(tx, held, 'handedOver', {
        queueId: reply.handOver.queueId ?? config.lastQueueId,
        words: reply.text || config.messageForMaxMessagesExceeded,
      })
    const ticket = (await loadTicket(tx, held.ticketId))!
    const lastMessageId = reply.text ? await say(tx, ticket, reply.text, reply.ends ? AT_ONCE : config) : null
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

/** Nothing is said by the model: the configuration is gone, a person took over, or it has answered often enough. */
export const settleWithout = (
  scope: Scope,
  claim: Claim,
  ending: DialogEnding,
  config: BotConfig | null,
): Promise<void> =>
  scope.transaction(async tx => {
    const held = await hold(tx, claim)
    if (!held) return
    if (ending === 'closed') return void (await end(tx, held, ending))
    await handOver(tx, held, ending, {
      queueId: config?.lastQueueId ?? null,
      words: config?.messageForMaxMessagesExceeded ?? '',
    })
  })

/** Looked at again in a moment. */
export const settleLater = (scope: Scope, claim: Claim): Promise<void> =>
  scope.transaction(async tx => {
    const held = await hold(tx, claim)
    if (held) await saveDialog(tx, held.id, { leaseUntil: null, dueFor: 'answer', dueInMs: LATER_MS })
  })

/** The customer said nothing more: he is asked once, and goes to the queue of the configuration. */
export const breakSilence = (scope: Scope, claim: Claim, config: BotConfig): Promise<void> =>
  scope.transaction(async tx => {
    const held = await hold(tx, claim)
    if (held)
      await handOver(tx, held, 'silence', { queueId: config.lastQueueId, words: config.inactivityMessage })
  })

type Held = DialogRow & { ticketId: number }

/** Ticket, then dialog, as everybody locks them; null when the turn is over or a person has the ticket. */
async function hold(tx: Tx, { id, turn }: Claim): Promise<Held | null> {
  const ticketId = (await dialogOr(tx, id))?.ticketId ?? null
  if (ticketId === null) return null
  const ticket = await lockTicket(tx, ticketId)
  const dialog = await lockDialog(tx, id)
  if (!dialog || dialog.turn !== turn || ticket === null) return null
  if (ticket.status === 'pending' && ticket.userId === null) return { ...dialog, ticketId }
  await end(tx, dialog, 'closed')
  return null
}

/** Tried again while that may help; then people take over, and the admin reads why. */
async function failed(tx: Tx, held: Held, config: BotConfig, { failure, detail, retryAfterMs }: Reply) {
  const tries = held.tries + 1
  const pause = nextTry(failure!, tries, retryAfterMs)
  if (pause !== null)
    return void (await saveDialog(tx, held.id, {
      tries,
      leaseUntil: null,
      dueFor: 'answer',
      dueInMs: pause,
    }))
  tx.note('a model did not answer: people take over', { ticketId: held.ticketId, failure, detail })
  await handOver(tx, held, 'failed', {
    queueId: config.lastQueueId,
    words: config.messageForMaxMessagesExceeded,
  })
}

async function handOver(
  tx: Tx,
  held: Held,
  ending: DialogEnding,
  { queueId, words }: { queueId: number | null; words: string },
) {
  const ticket = (await loadTicket(tx, held.ticketId))!
  if (words.trim()) await say(tx, ticket, words, AT_ONCE)
  await finish(tx, held, ending)
  if (queueId !== null && queueId !== ticket.queueId) await transfer(tx, held.ticketId, { queueId })
}

/** First the dialog ends, then the ticket moves: whoever hears of the move finds nobody talking. */
async function finish(tx: Tx, held: Held, ending: DialogEnding) {
  await end(tx, held, ending)
  await tx.involve(dialogEnded, { ticketId: held.ticketId, ending })
}

const outcomeOf = ({ failure, handOver, ends }: Reply) =>
  failure ? 'failed' : handOver ? 'handedOver' : ends ? 'ended' : 'said'

/** What was not asked is not counted, but a failure is: the admin sees why. */
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
    detail: detail.slice(0, 300),
  })
}
