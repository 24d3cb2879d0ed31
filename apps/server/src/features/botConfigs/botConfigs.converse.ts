import type { ModelFailure } from '@balcao/contract/integrations.ts'
import { z } from 'zod'
import type { DueTools } from '../../platform/due.ts'
import { type Answered, askModel, type ChatTurn, type Question } from '../integrations/integrations.chat.ts'
import type { Endpoint } from '../integrations/integrations.endpoint.ts'
import { type Around, END, HAND_OVER, PUT_TAG } from './botConfigs.prompt.ts'

/** What came of asking: what is said, what happens to the ticket, and what it cost. */
export interface Reply {
  text: string
  /** A person takes over: in this queue, or where the configuration leads when the model named none that there is. */
  handOver: { queueId: number | null } | null
  ends: boolean
  tagIds: number[]
  promptTokens: number
  completionTokens: number
  ms: number
  failure: ModelFailure | null
  detail: string
  retryAfterMs: number
}

const ROUNDS = 3
/** What WhatsApp shows without folding, and nobody reads more of. */
const LONGEST = 4_096
/** For all rounds together. */
const PATIENCE_MS = 60_000

export const nothingSaid = (failure: ModelFailure, detail = ''): Reply => ({
  ...{ text: '', handOver: null, ends: false, tagIds: [], failure, detail },
  ...{ promptTokens: 0, completionTokens: 0, ms: 0, retryAfterMs: 0 },
})

/** Asks until the model has said something, or given the conversation away. What it may do it does by its tools alone. */
export async function converse(
  tools: Pick<DueTools, 'outbound' | 'scopes'>,
  endpoint: Endpoint,
  question: Question,
  around: Around,
): Promise<Reply> {
  const began = Date.now()
  const reply: Reply = { ...nothingSaid('empty'), failure: null }
  const turns = [...question.turns]
  for (let round = 0; round < ROUNDS; round++) {
    const left = PATIENCE_MS - (Date.now() - began)
    const got = await askModel(tools, endpoint, { ...question, turns }, left)
    reply.ms = Date.now() - began
    if ('failure' in got) return { ...reply, ...got }
    reply.promptTokens += got.promptTokens
    reply.completionTokens += got.completionTokens
    reply.text = got.text.slice(0, LONGEST)
    const told = got.calls.map(call => ({ id: call.id, result: apply(call, reply, around) }))
    if (reply.text || reply.handOver || reply.ends) return reply
    turns.push(...answersTo(got, told))
  }
  return { ...reply, failure: 'empty', detail: 'only tools' }
}

const Named = z.object({ queue: z.string().optional(), tag: z.string().optional() }).catch({})

/** Does what a tool says to a reply, and answers what the model is told of it. Nonsense changes nothing. */
function apply({ name, args }: Answered['calls'][number], reply: Reply, { queues, tags }: Around): string {
  const asked = Named.parse(jsonOr(args))
  if (name === HAND_OVER) {
    reply.handOver ??= { queueId: called(queues, asked.queue)?.id ?? null }
    return 'done'
  }
  if (name === END) {
    reply.ends = true
    return 'done'
  }
  const tag = name === PUT_TAG ? called(tags, asked.tag) : undefined
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

const answersTo = ({ text, calls }: Answered, told: { id: string; result: string }[]): ChatTurn[] => [
  {
    role: 'assistant',
    content: text || null,
    tool_calls: calls.map(({ id, name, args }) => ({
      id,
      type: 'function' as const,
      function: { name, arguments: args },
    })),
  },
  ...told.map(({ id, result }) => ({ role: 'tool' as const, tool_call_id: id, content: result })),
]
