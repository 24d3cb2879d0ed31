import { z } from 'zod'
import { databaseNow } from '../../platform/clock.ts'
import type { Outbound } from '../../platform/outbound/outbound.ts'
import type { Scopes } from '../../platform/scope.ts'
import { rememberRefused } from './integrations.actions.ts'
import { callEndpoint, type Endpoint, type Failed } from './integrations.endpoint.client.ts'

type Content = string | ({ type: 'text'; text: string } | { type: 'image_url'; image_url: { url: string } })[]

/** One turn as the chat-completions protocol writes it. */
export type ChatTurn =
  | { role: 'system'; content: string }
  | { role: 'user'; content: Content }
  | { role: 'assistant'; content: string | null; tool_calls?: ToolCall[] }
  | { role: 'tool'; content: string; tool_call_id: string }

type ToolCall = { id: string; type: 'function'; function: { name: string; arguments: string } }

export interface Tool {
  name: string
  description: string
  parameters: Record<string, unknown>
}

/** A request to a model; `settings` that it refuses are left out. */
export interface Question {
  model: string
  turns: ChatTurn[]
  tools: Tool[]
  settings: {
    temperature?: number
    top_p?: number
    frequency_penalty?: number
    presence_penalty?: number
    max_tokens?: number
    stop?: string[]
  }
}

export interface Answered {
  text: string
  calls: { id: string; name: string; args: string }[]
  finish: string
  promptTokens: number
  completionTokens: number
}

const MAX_BYTES = 512 * 1024

/**
 * Calls a model once, within `timeoutMs`. Without an argument that it refuses it is called again, and that is remembered. Protocol:
 * https://platform.openai.com/docs/api-reference/chat/create. Failures of the other side are returned, not thrown.
 */
export async function askModel(
  tools: { outbound: Pick<Outbound, 'by'>; scopes: Scopes },
  endpoint: Endpoint,
  question: Question,
  timeoutMs: number,
): Promise<Answered | Failed> {
  const key = `${endpoint.askedBy} ${question.model}`
  const kept = endpoint.refused[key]
  const known = kept && Date.parse(kept.until) > databaseNow() ? kept.names : []
  const without = [...known]
  const until = performance.now() + timeoutMs
  for (;;) {
    const got = await callEndpoint(tools.outbound, endpoint, '/chat/completions', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(bodyOf(question, without)),
      timeoutMs: Math.max(1, Math.round(until - performance.now())),
      maxBytes: MAX_BYTES,
    })
    const name = 'failure' in got ? refusedName(got, without) : null
    if (name) {
      without.push(name)
      continue
    }
    if (without.length > known.length && !('failure' in got))
      await rememberRefused(tools.scopes.inCompany(endpoint.companyId), endpoint.id, key, without)
    return 'failure' in got ? got : answerOf(got.body)
  }
}

function bodyOf({ model, turns, tools, settings }: Question, without: string[]) {
  const given = { ...settings, ...(tools.length > 0 && { tools: tools.map(toolOf) }) }
  const { max_tokens, ...rest } = Object.fromEntries(
    Object.entries(given).filter(([name, value]) => value !== undefined && !isLeftOut(name, without)),
  )
  // newer models name the limit otherwise
  const limit = without.includes('max_tokens') ? 'max_completion_tokens' : 'max_tokens'
  return {
    model,
    messages: turns,
    ...rest,
    ...(max_tokens !== undefined && !without.includes(limit) && { [limit]: max_tokens }),
  }
}

const isLeftOut = (name: string, without: string[]) => name !== 'max_tokens' && without.includes(name)

const toolOf = ({ name, description, parameters }: Tool) => ({
  type: 'function' as const,
  function: { name, description, parameters },
})

const MAY_BE_LEFT_OUT = [
  'temperature',
  'top_p',
  'frequency_penalty',
  'presence_penalty',
  'max_completion_tokens',
  'max_tokens',
  'stop',
  'tools',
]

/**
 * The argument that the model does not support, by `param` or by the message; null when none, or one that is left out already.
 * Other complaints may name one too, such as a conversation that is too long.
 */
function refusedName(
  {
    status = 0,
    param = '',
    code = '',
    detail,
  }: Failed & { status?: number; param?: string | undefined; code?: string },
  without: string[],
) {
  const isUnsupported = /^unsupported/.test(code) || UNSUPPORTED.test(detail)
  if ((status !== 400 && status !== 422) || !isUnsupported) return null
  const left = MAY_BE_LEFT_OUT.filter(name => !without.includes(name))
  const meant = left.find(name => param === name) ?? (param ? null : left.find(name => detail.includes(name)))
  return meant ?? (/tool.(choice|call)/i.test(detail) && left.includes('tools') ? 'tools' : null)
}

const UNSUPPORTED =
  /unsupported|not support|unrecogni[sz]ed|unknown (parameter|argument|field|name)|extra (inputs|fields)|not permitted|not (accepted|allowed)/i

const Completion = z.object({
  choices: z
    .array(
      z.object({
        finish_reason: z.string().nullish(),
        message: z.object({
          content: z.string().nullish(),
          tool_calls: z
            .array(
              z.object({ id: z.string(), function: z.object({ name: z.string(), arguments: z.string() }) }),
            )
            .nullish(),
        }),
      }),
    )
    .max(100),
  usage: z.object({ prompt_tokens: z.int(), completion_tokens: z.int() }).nullish().catch(null),
})

function answerOf(body: unknown): Answered | Failed {
  const { success, data } = Completion.safeParse(body)
  if (!success) return { failure: 'nonsense', detail: 'not a completion' }
  const [choice] = data.choices
  const text = keepable(choice?.message.content ?? '').trim()
  const calls = (choice?.message.tool_calls ?? []).map(call => ({
    id: call.id,
    name: call.function.name,
    args: call.function.arguments,
  }))
  const finish = choice?.finish_reason ?? ''
  const cost = {
    promptTokens: data.usage?.prompt_tokens ?? 0,
    completionTokens: data.usage?.completion_tokens ?? Math.ceil(text.length / 4),
  }
  if (finish === 'content_filter')
    return { failure: 'refused', detail: 'finish_reason content_filter', ...cost }
  if (!text && calls.length === 0)
    return {
      failure: finish === 'length' ? 'room' : 'empty',
      detail: finish && `finish_reason ${finish}`,
      ...cost,
    }
  return { text, calls, finish, ...cost }
}

/** PostgreSQL keeps no NUL. */
const keepable = (text: string) => text.replaceAll('\0', '').toWellFormed()
