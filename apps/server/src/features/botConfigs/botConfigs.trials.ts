import { randomUUID } from 'node:crypto'
import type { BotConfig, TrialMessage, TrialStatus } from '@balcao/contract/botConfigs.ts'
import type { Platform } from '../../platform/app.ts'
import type { Scope, Tx } from '../../platform/scope.ts'
import { and, desc, eq } from '../../platform/sql.ts'
import { endpointFor } from '../integrations/integrations.endpoint.ts'
import type { Reply } from './botConfigs.converse.ts'
import { end } from './botConfigs.dialogs.ts'
import { dialogDue, trialChanged } from './botConfigs.events.ts'
import type { Around, Word } from './botConfigs.prompt.ts'
import { findBotConfig } from './botConfigs.queries.ts'
import { countAnswer } from './botConfigs.settle.ts'
import { type Claim, insertDialog, lockDialog, lockTrialOf, saveDialog } from './botConfigs.store.ts'
import { gptTrials } from './botConfigs.table.ts'

const MOST = 200
/** Whoever tries a prompt is quicker than a customer. */
const QUIET_MS = 500

const shown = {
  id: gptTrials.id,
  body: gptTrials.body,
  fromMe: gptTrials.fromMe,
  createdAt: gptTrials.createdAt,
  effect: gptTrials.effect,
}

/** The simulated conversation, and whether a model is there to answer. Refuses with ERR_NOT_FOUND. */
export async function showTrial(
  platform: Platform,
  scope: Scope,
  botConfigId: number,
): Promise<{ messages: TrialMessage[]; status: TrialStatus }> {
  const messages = await scope.read(async tx => {
    await findBotConfig(tx, botConfigId)
    return trialsOf(tx, botConfigId)
  })
  return { messages, status: (await endpointFor(platform, scope.companyId)) ? 'online' : 'offline' }
}

interface Said {
  botConfigId: number
  message?: { body: string } | undefined
  clearConversation?: boolean | undefined
}

/** Says something to a prompt, or forgets what was said; the answer comes later. Refuses with ERR_NOT_FOUND. */
export const sayInTrial = (scope: Scope, { botConfigId, message, clearConversation }: Said) =>
  scope.transaction(async tx => {
    await findBotConfig(tx, botConfigId)
    const living = await lockTrialOf(tx, botConfigId)
    if (clearConversation) {
      await tx.sql.delete(gptTrials).where(own(tx, botConfigId))
      if (living) await end(tx, living, 'closed')
      tx.emit(trialChanged, { botConfigId, push: { action: 'delete', messageId: null } })
      tx.emit(trialChanged, { botConfigId, push: { action: 'status', status: 'online' } })
    }
    if (message) {
      await addTrial(tx, botConfigId, { body: message.body, fromMe: true, effect: null })
      const wait = { dueFor: 'answer' as const, dueInMs: QUIET_MS }
      if (living && !clearConversation)
        await saveDialog(tx, living.id, { turn: living.turn + 1, leaseUntil: null, ...wait })
      else await insertDialog(tx, { ticketId: null, botConfigId, fromPosition: 0, turn: 0, ...wait })
      tx.emit(trialChanged, { botConfigId, push: { action: 'status', status: 'composing' } })
      tx.emit(dialogDue, {})
    }
    return { messages: await trialsOf(tx, botConfigId) }
  })

/** What the tester said and heard, as a ticket's conversation: to the model the tester is the customer. */
export async function trialWords(tx: Tx, botConfigId: number): Promise<(Word & { createdAt: string })[]> {
  const said = await trialsOf(tx, botConfigId)
  return said
    .filter(({ effect }) => !effect?.failure)
    .map(({ body, fromMe, createdAt }) => ({
      ...{ body, createdAt, fromMe: !fromMe },
      ...{ mediaType: null, mediaUrl: null, media: null },
    }))
}

/** What the prompt said to its tester, with what it would have done to a ticket. A newer word of the tester comes first. */
export const settleTrial = (
  scope: Scope,
  claim: Claim,
  config: BotConfig,
  reply: Reply,
  { queues, tags }: Around,
): Promise<void> =>
  scope.transaction(async tx => {
    const dialog = await lockDialog(tx, claim.id)
    const counts = dialog?.turn === claim.turn
    if (reply.failure !== 'none')
      await countAnswer(tx, config, reply, counts ? (reply.failure ? 'failed' : 'said') : 'discarded', null)
    if (!dialog || !counts) return
    const handedTo = reply.handOver && (reply.handOver.queueId ?? config.lastQueueId)
    const effect = {
      handedTo: reply.handOver && (queues.find(({ id }) => id === handedTo)?.name ?? ''),
      ended: reply.ends,
      tags: tags.filter(({ id }) => reply.tagIds.includes(id)).map(({ name }) => name),
      tokens: reply.promptTokens + reply.completionTokens,
      ...{ ms: reply.ms, failure: reply.failure, detail: reply.detail },
    }
    // without an integration nobody is there: its name comes back, marked as offline (OP-131)
    const body =
      reply.text ||
      (reply.failure === 'none' ? config.name : reply.handOver ? config.messageForMaxMessagesExceeded : '')
    await addTrial(tx, config.id, { body, fromMe: false, effect })
    await saveDialog(tx, dialog.id, { leaseUntil: null, dueFor: null, tries: 0 })
    const status = reply.failure === 'none' ? 'offline' : 'online'
    tx.emit(trialChanged, { botConfigId: config.id, push: { action: 'status', status } })
  })

async function addTrial(tx: Tx, botConfigId: number, said: Pick<TrialMessage, 'body' | 'fromMe' | 'effect'>) {
  const [message] = await tx.sql
    .insert(gptTrials)
    .values({ ...said, id: randomUUID(), companyId: tx.companyId, botConfigId })
    .returning(shown)
  tx.emit(trialChanged, { botConfigId, push: { action: 'create', message: message! } })
}

async function trialsOf(tx: Tx, botConfigId: number): Promise<TrialMessage[]> {
  const rows = await tx.sql
    .select(shown)
    .from(gptTrials)
    .where(own(tx, botConfigId))
    .orderBy(desc(gptTrials.position))
    .limit(MOST)
  return rows.reverse()
}

const own = (tx: Tx, botConfigId: number) =>
  and(eq(gptTrials.companyId, tx.companyId), eq(gptTrials.botConfigId, botConfigId))
