import { randomUUID } from 'node:crypto'
import type { BotConfig, TrialMessage, TrialStatus } from '@balcao/contract/botConfigs.ts'
import type { Platform } from '../../platform/app.ts'
import type { Scope, Tx } from '../../platform/scope.ts'
import { endpointFor } from '../integrations/integrations.endpoint.client.ts'
import type { CountedReply } from './botConfigs.answer.worker.ts'
import { endDialog } from './botConfigs.dialogs.actions.ts'
import {
  type Claim,
  insertDialog,
  lockDialog,
  lockTrialOf,
  saveDialog,
} from './botConfigs.dialogs.queries.ts'
import { dialogDue, trialChanged } from './botConfigs.events.ts'
import type { Around, DialogMessage } from './botConfigs.prompt.worker.ts'
import { deleteTrials, findBotConfig, insertTrial, trialsOf } from './botConfigs.queries.ts'
import { keepOutcome } from './botConfigs.settle.actions.ts'

/** The delay before an answer in the simulator. */
const QUIET_MS = 500

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

interface TrialInput {
  botConfigId: number
  message?: { body: string } | undefined
  clearConversation?: boolean | undefined
}

/** Sends a message to a prompt or clears the conversation; the answer is pushed later. Refuses with ERR_NOT_FOUND. */
export const sendInTrial = (scope: Scope, { botConfigId, message, clearConversation }: TrialInput) =>
  scope.transaction(async tx => {
    const config = await findBotConfig(tx, botConfigId)
    const current = await lockTrialOf(tx, botConfigId)
    if (clearConversation) {
      await deleteTrials(tx, botConfigId)
      if (current) await endDialog(tx, current, 'closed')
      tx.emit(trialChanged, { botConfigId, push: { action: 'delete', messageId: null } })
      tx.emit(trialChanged, { botConfigId, push: { action: 'status', status: 'online' } })
    }
    if (message) {
      const begins = (await trialsOf(tx, botConfigId)).length === 0
      await addTrial(tx, botConfigId, { body: message.body, fromMe: true, effect: null })
      if (begins)
        for (const body of config.initialMessages)
          await addTrial(tx, botConfigId, { body, fromMe: false, effect: null })
      const wait = { dueFor: 'answer' as const, dueInMs: QUIET_MS }
      if (current && !clearConversation)
        await saveDialog(tx, current.id, { turn: current.turn + 1, leaseUntil: null, ...wait })
      else await insertDialog(tx, { ticketId: null, botConfigId, fromPosition: 0, turn: 0, ...wait })
      tx.emit(trialChanged, { botConfigId, push: { action: 'status', status: 'composing' } })
      tx.emit(dialogDue, {})
    }
    return { messages: await trialsOf(tx, botConfigId) }
  })

/** The trial as a ticket's conversation, in which the tester is the customer. */
export async function trialMessages(
  tx: Tx,
  botConfigId: number,
): Promise<(DialogMessage & { createdAt: string })[]> {
  const messages = await trialsOf(tx, botConfigId)
  return messages
    .filter(({ effect }) => !effect?.failure)
    .map(({ body, fromMe, createdAt }) => ({
      ...{ body, createdAt, fromMe: !fromMe },
      ...{ mediaType: null, mediaUrl: null, media: null },
    }))
}

/** Stores the answer with its effects on a ticket. A newer message of the tester discards it. */
export const settleTrial = (
  scope: Scope,
  claim: Claim,
  config: BotConfig,
  reply: CountedReply,
  { queues, tags }: Around,
): Promise<void> =>
  scope.transaction(async tx => {
    const dialog = await lockDialog(tx, claim.id)
    const counts = dialog?.turn === claim.turn
    if (!dialog || !counts) return
    await keepOutcome(tx, reply, reply.failure ? 'failed' : 'said')
    const handedTo = reply.escalate && (reply.escalate.queueId ?? config.lastQueueId)
    const effect = {
      handedTo: reply.escalate && (queues.find(({ id }) => id === handedTo)?.name ?? ''),
      ended: reply.ends,
      tags: tags.filter(({ id }) => reply.tagIds.includes(id)).map(({ name }) => name),
      tokens: reply.promptTokens + reply.completionTokens,
      ...{ ms: reply.ms, failure: reply.failure, detail: reply.detail },
    }
    // without an integration the answer is the prompt's name, marked as offline (OP-131)
    const body =
      reply.text ||
      (reply.failure === 'none' ? config.name : reply.escalate ? config.messageForMaxMessagesExceeded : '')
    await addTrial(tx, config.id, { body, fromMe: false, effect })
    await saveDialog(tx, dialog.id, { leaseUntil: null, dueFor: null, tries: 0 })
    const status = reply.failure === 'none' ? 'offline' : 'online'
    tx.emit(trialChanged, { botConfigId: config.id, push: { action: 'status', status } })
  })

async function addTrial(
  tx: Tx,
  botConfigId: number,
  fields: Pick<TrialMessage, 'body' | 'fromMe' | 'effect'>,
) {
  const message = await insertTrial(tx, { ...fields, id: randomUUID(), botConfigId })
  tx.emit(trialChanged, { botConfigId, push: { action: 'create', message } })
}
