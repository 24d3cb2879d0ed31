import type { Refused } from './refusals.ts'
import type { Asked } from './shapes.ts'

/** The model's answer to a request. */
export interface Said {
  text?: string
  /** Arguments as they are sent: a text need not be JSON. */
  calls?: { name: string; args: object | string }[]
  finish?: 'stop' | 'length' | 'tool_calls' | 'content_filter'
  /** By default the tokens are estimated; false omits them. */
  usage?: false | { prompt_tokens: number; completion_tokens: number }
  /** Delay in milliseconds. */
  delay?: number
}

/** The outcome of a call. Each step is used `times` (default 1) by calls whose last message contains `on`. */
export type Step = { on?: string; times?: number } & (
  | Said
  | { refuse: Refused }
  /** Never answered. */
  | { hang: true }
  /** The connection breaks: before the answer, after the headers, or in the middle of the answer. */
  | { cut: 'before' | 'headers' | 'half' }
  /** Answered 200 with these bytes. */
  | { raw: string }
  /** A completion without a choice. */
  | { noChoice: true }
)

/** The scripted answers of the model. */
export class Script {
  #steps: Step[] = []

  next(...steps: Step[]): void {
    this.#steps.push(...steps)
  }

  clear(): void {
    this.#steps = []
  }

  /** How many were not used. */
  get left(): number {
    return this.#steps.length
  }

  /** The step of this call; without one the model repeats its input. */
  take(asked: Asked): Step {
    const heard = lastWords(asked)
    const at = this.#steps.findIndex(({ on }) => on === undefined || heard.includes(on))
    const step = this.#steps[at]
    if (!step) return { text: `Você disse: ${heard}` }
    const times = (step.times ?? 1) - 1
    if (times > 0) this.#steps[at] = { ...step, times }
    else this.#steps.splice(at, 1)
    return step
  }
}

/** The customer's last message. */
function lastWords({ messages }: Asked): string {
  const last = messages.findLast(({ role }) => role === 'user')
  const content = last?.content ?? ''
  return typeof content === 'string'
    ? content
    : content.map(part => (part.type === 'text' ? part.text : '[image]')).join(' ')
}
