import {
  answeredLast,
  MODEL_CALLS_AN_HOUR,
  NOT_SUPPORTED,
  patienceMs,
  wholeSentences,
} from '@balcao/contract/botConfigs.rules.ts'
import type { BotConfig } from '@balcao/contract/botConfigs.ts'
import { cut } from '@balcao/contract/cut.rules.ts'
import type { ModelFailure } from '@balcao/contract/integrations.ts'
import { whatsAppMarks } from '@balcao/contract/markdown.rules.ts'
import type { Ticket } from '@balcao/contract/tickets.ts'
import { z } from 'zod'
import { databaseNow } from '../../platform/clock.ts'
import type { Tx } from '../../platform/scope.ts'
import type { DueTools } from '../../platform/work/due.ts'
import { clockOf, modelsAreOn, ownCompany } from '../companies/companies.queries.ts'
import {
  type Answered,
  askModel,
  type ChatTurn,
  type Question,
} from '../integrations/integrations.chat.client.ts'
import { type Endpoint, endpointFor } from '../integrations/integrations.endpoint.client.ts'
import { selectQueues } from '../queues/queues.queries.ts'
import { allTags } from '../tags/tags.queries.ts'
import { loadTicket } from '../tickets/tickets.queries.ts'
import {
  type Claim,
  type DialogRow,
  dialogOr,
  messagesInDialog,
  notesOfTicket,
} from './botConfigs.dialogs.queries.ts'
import {
  type Around,
  type DialogMessage,
  END,
  ESCALATE,
  isBeyond,
  PUT_TAG,
  questionOf,
} from './botConfigs.prompt.worker.ts'
import { botConfigOr, callsWithinAnHour } from './botConfigs.queries.ts'
import {
  askSilent,
  breakSilence,
  countAnswer,
  settleLater,
  settleReply,
  settleWithout,
} from './botConfigs.settle.actions.ts'
import { settleTrial, trialMessages } from './botConfigs.trials.actions.ts'

/** A claimed dialog with all that its turn depends on. */
interface Due {
  dialog: DialogRow
  config: BotConfig | null
  ticket: Ticket | null
  messages: (DialogMessage & { createdAt: string })[]
  isOn: boolean
  /** The calls of an hour are used up by the contact, the ticket or the company. */
  isOverCap: boolean
  around: Around
}

/** Runs the turn of a claimed dialog: reads, calls the model outside any transaction, writes the result in one commit. */
export async function answerDialog(tools: DueTools, claim: Claim): Promise<void> {
  const scope = tools.scopes.inCompany(claim.companyId)
  const due = await scope.read(tx => gather(tx, claim))
  if (!due) return
  const { dialog, config, ticket, messages } = due
  if (!config) return settleWithout(scope, claim, 'gone', null)
  if (dialog.ticketId !== null && !mayAnswer(ticket)) return settleWithout(scope, claim, 'closed', null)
  if (claim.dueFor === 'silence') return askSilent(scope, claim, config)
  if (claim.dueFor === 'parting') return breakSilence(scope, claim, config)
  if (dialog.ticketId !== null && (due.isOverCap || dialog.answers >= config.maxMessagesForDialog))
    return settleWithout(scope, claim, 'limit', config)
  if (messages.some(isLoading)) return settleLater(scope, claim)
  const reply = await replyTo(tools, due, config)
  // what was paid is counted before anything can fail
  const answerId = await scope.transaction(tx => countAnswer(tx, config, reply, dialog.ticketId))
  if (tools.stopping()) return
  return dialog.ticketId === null
    ? settleTrial(scope, claim, config, { ...reply, answerId }, due.around)
    : settleReply(scope, claim, config, { ...reply, answerId })
}

async function gather(tx: Tx, { id, turn }: Claim): Promise<Due | null> {
  const dialog = await dialogOr(tx, id)
  if (!dialog || dialog.endedAt !== null || dialog.turn !== turn) return null
  const { ticketId, botConfigId, fromPosition } = dialog
  const { companyName } = await ownCompany(tx)
  const messages =
    ticketId === null
      ? await trialMessages(tx, botConfigId)
      : await messagesInDialog(tx, ticketId, fromPosition)
  const config = await botConfigOr(tx, botConfigId)
  return {
    dialog,
    config,
    ticket: ticketId === null ? null : await loadTicket(tx, ticketId),
    messages: answeredLast(messages),
    isOn: await modelsAreOn(tx),
    isOverCap: isOverCap(await callsWithinAnHour(tx, ticketId)),
    around: {
      company: companyName,
      clock: await clockOf(tx),
      queues: await selectQueues(tx),
      tags: await allTags(tx),
      notes: config?.readsNotes && ticketId !== null ? await notesOfTicket(tx, ticketId) : [],
    },
  }
}

const isOverCap = (calls: Record<keyof typeof MODEL_CALLS_AN_HOUR, number>) =>
  calls.contact >= MODEL_CALLS_AN_HOUR.contact ||
  calls.ticket >= MODEL_CALLS_AN_HOUR.ticket ||
  calls.company >= MODEL_CALLS_AN_HOUR.company

/** A model answers in tickets that no user has accepted. */
const mayAnswer = (ticket: Ticket | null) =>
  ticket !== null && ticket.status === 'pending' && ticket.userId === null && !ticket.isGroup

/** How long a picture that is still loading is waited for. */
const FETCH_MS = 30_000

const isLoading = ({ mediaType, media, createdAt, fromMe }: Due['messages'][number]) =>
  !fromMe &&
  mediaType === 'image' &&
  media?.state === 'loading' &&
  databaseNow() - Date.parse(createdAt) < FETCH_MS

async function replyTo(
  tools: DueTools,
  { messages, around, isOn, isOverCap, dialog }: Due,
  config: BotConfig,
): Promise<Reply> {
  const unanswered = messages.slice(messages.findLastIndex(({ fromMe }) => fromMe) + 1)
  if (unanswered.length > 0 && unanswered.every(message => isBeyond(message, config.model)))
    return { ...failedReply('empty'), failure: null, text: NOT_SUPPORTED }
  if (!isOn) return failedReply('plan')
  if (isOverCap) return failedReply('busy', `${MODEL_CALLS_AN_HOUR.company} calls an hour`)
  const endpoint = await endpointFor(tools, dialog.companyId)
  if (!endpoint) return failedReply('none')
  const question = await questionOf(config, around, messages, {
    files: tools.files,
    companyId: dialog.companyId,
  })
  return converse(tools, endpoint, question, around, patienceMs(dialog.tries))
}

/** The result of a turn: text, changes of the ticket, and cost. */
export interface Reply {
  text: string
  /** Escalated to this queue; null: to the queue of the prompt. */
  escalate: { queueId: number | null } | null
  ends: boolean
  tagIds: number[]
  promptTokens: number
  completionTokens: number
  ms: number
  failure: ModelFailure | null
  detail: string
  retryAfterMs: number
}

/** The same, counted; without a row when nothing was asked. */
export type CountedReply = Reply & { answerId: number | null }

const ROUNDS = 3
/** An answer that was cut within its first sentence is asked for once more, with so many times the tokens. */
const MORE_ROOM = 2

/** What WhatsApp shows without folding. */
const LONGEST = 4_096

const failedReply = (failure: ModelFailure, detail = ''): Reply => ({
  ...{ text: '', escalate: null, ends: false, tagIds: [], failure, detail },
  ...{ promptTokens: 0, completionTokens: 0, ms: 0, retryAfterMs: 0 },
})

/** Calls the model until it returns a text, escalates or ends the conversation. */
async function converse(
  tools: Pick<DueTools, 'outbound' | 'scopes'>,
  endpoint: Endpoint,
  question: Question,
  around: Around,
  patienceMs: number,
): Promise<Reply> {
  const began = performance.now()
  const reply: Reply = { ...failedReply('empty'), failure: null }
  const turns = [...question.turns]
  let { settings } = question
  for (let round = 0; round < ROUNDS; round++) {
    const left = patienceMs - (performance.now() - began)
    const got = await askModel(tools, endpoint, { ...question, settings, turns }, left)
    reply.ms = Math.round(performance.now() - began)
    reply.promptTokens += got.promptTokens ?? 0
    reply.completionTokens += got.completionTokens ?? 0
    if ('failure' in got) {
      const { promptTokens, completionTokens } = reply
      return { ...reply, ...got, promptTokens, completionTokens }
    }
    const isCut = got.finish === 'length'
    reply.text = cut(whatsAppMarks(isCut ? wholeSentences(got.text) : got.text), LONGEST)
    if (isCut && !reply.text && got.calls.length === 0) {
      if (settings !== question.settings) break
      settings = { ...settings, max_tokens: (settings.max_tokens ?? 0) * MORE_ROOM }
      continue
    }
    const results = got.calls.map(call => ({ id: call.id, result: apply(call, reply, around) }))
    if (reply.text || reply.escalate || reply.ends) return reply
    turns.push(...answersTo(got, results))
  }
  return settings === question.settings
    ? { ...reply, failure: 'empty', detail: 'only tools' }
    : { ...reply, failure: 'room', detail: 'no whole sentence' }
}

const ToolArguments = z.object({ queue: z.string().optional(), tag: z.string().optional() }).catch({})

/** Applies a tool call to the reply and returns the tool's result for the model. Invalid calls change nothing. */
function apply({ name, args }: Answered['calls'][number], reply: Reply, { queues, tags }: Around): string {
  const wanted = ToolArguments.parse(jsonOr(args))
  if (name === ESCALATE) {
    reply.escalate ??= { queueId: called(queues, wanted.queue)?.id ?? null }
    return 'done'
  }
  if (name === END) {
    reply.ends = true
    return 'done'
  }
  const tag = name === PUT_TAG ? called(tags, wanted.tag) : undefined
  if (!tag) return 'there is no such thing'
  if (!reply.tagIds.includes(tag.id)) reply.tagIds.push(tag.id)
  return 'done'
}

const called = <T extends { name: string }>(rows: T[], name = '') =>
  rows.find(row => row.name.toLowerCase() === name.trim().toLowerCase())

function jsonOr(text: string): unknown {
  try {
    return JSON.parse(text || '{}')
  } catch {
    return {}
  }
}

const answersTo = ({ text, calls }: Answered, results: { id: string; result: string }[]): ChatTurn[] => [
  {
    role: 'assistant',
    content: text || null,
    tool_calls: calls.map(({ id, name, args }) => ({
      id,
      type: 'function' as const,
      function: { name, arguments: args },
    })),
  },
  ...results.map(({ id, result }) => ({ role: 'tool' as const, tool_call_id: id, content: result })),
]
