import type { Asked } from './shapes.ts'
import type { Said } from './steps.ts'

/** One answer as the protocol writes it. */
export interface Completion {
  id: string
  object: 'chat.completion'
  created: number
  model: string
  choices: {
    index: 0
    message: {
      role: 'assistant'
      content: string | null
      refusal: null
      tool_calls?: { id: string; type: 'function'; function: { name: string; arguments: string } }[]
    }
    logprobs: null
    finish_reason: string
  }[]
  usage?: { prompt_tokens: number; completion_tokens: number; total_tokens: number }
}

/** About four letters a token, as the maker's own rule of thumb has it. */
export const tokensOf = (text: string) => Math.ceil(text.length / 4)

/** What was scripted, cut where the asker's `stop` and `max_tokens` cut it. */
export function completionOf(asked: Asked, said: Said, number: number): Completion {
  const { text, finish } = cutBy(asked, said.text ?? '')
  const calls = said.calls?.map(({ name, args }, at) => ({
    id: `call_${number}_${at}`,
    type: 'function' as const,
    function: { name, arguments: typeof args === 'string' ? args : JSON.stringify(args) },
  }))
  const message = {
    role: 'assistant' as const,
    content: said.text === undefined && calls ? null : text,
    refusal: null,
    ...(calls && { tool_calls: calls }),
  }
  const usage = said.usage ?? {
    prompt_tokens: tokensOf(JSON.stringify(asked.messages)),
    completion_tokens: tokensOf(text + JSON.stringify(calls ?? '')),
  }
  return {
    id: `chatcmpl-${number}`,
    object: 'chat.completion',
    created: Math.floor(Date.now() / 1000),
    model: asked.model,
    choices: [
      {
        index: 0,
        message,
        logprobs: null,
        finish_reason: said.finish ?? (calls ? 'tool_calls' : finish),
      },
    ],
    ...(said.usage !== false &&
      usage && { usage: { ...usage, total_tokens: usage.prompt_tokens + usage.completion_tokens } }),
  }
}

function cutBy({ stop = [], max_tokens, max_completion_tokens }: Asked, whole: string) {
  const ends = [stop].flat().flatMap(word => {
    const at = whole.indexOf(word)
    return at >= 0 ? [at] : []
  })
  const text = whole.slice(0, Math.min(whole.length, ...ends))
  const most = (max_tokens ?? max_completion_tokens ?? Number.POSITIVE_INFINITY) * 4
  return text.length > most
    ? { text: text.slice(0, most), finish: 'length' as const }
    : { text, finish: 'stop' as const }
}

/** The same in pieces, as `stream` sends it: each is one `data:` line. */
export function chunksOf(asked: Asked, whole: Completion): object[] {
  const { usage, choices, ...head } = whole
  const { message, finish_reason } = choices[0]!
  const chunk = (delta: object, finish: string | null = null) => ({
    ...head,
    object: 'chat.completion.chunk',
    choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }],
    ...(asked.stream_options?.include_usage && { usage: null }),
  })
  const words = (message.content ?? '').match(/\s*\S+|\s+$/g) ?? []
  return [
    chunk({ role: 'assistant', content: '' }),
    ...words.map(content => chunk({ content })),
    ...(message.tool_calls ?? []).map((call, index) => chunk({ tool_calls: [{ index, ...call }] })),
    chunk({}, finish_reason),
    ...(asked.stream_options?.include_usage ? [{ ...chunk({}), choices: [], usage: usage ?? null }] : []),
  ]
}
