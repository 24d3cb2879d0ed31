import type { Refused } from './refusals.ts'
import type { Asked } from './shapes.ts'

/** What the model says when it is asked. */
export interface Said {
  text?: string
  /** Arguments as they are sent: a text need not be JSON. */
  calls?: { name: string; args: object | string }[]
  finish?: 'stop' | 'length' | 'tool_calls' | 'content_filter'
  /** Left out, the tokens are reckoned; false tells none. */
  usage?: false | { prompt_tokens: number; completion_tokens: number }
  /** Said so many milliseconds later. */
  delay?: number
}

/** How a call goes. Each step is used up `times` (once, unless said) by calls whose last words hold `on`. */
export type Step = { on?: string; times?: number } & (
  | Said
  | { refuse: Refused }
  /** Never answered. */
  | { hang: true }
  /** The line breaks: before anything was said, behind the headers, or in the middle of the answer. */
  | { cut: 'before' | 'headers' | 'half' }
  /** Answered 200 with these bytes. */
  | { raw: string }
  /** A completion without a choice. */
  | { noChoice: true }
)

/** What was written for the model to say. */
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

  /** The step of this call; without one the model repeats what it heard. */
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

/** What the customer said last. */
function lastWords({ messages }: Asked): string {
  const last = messages.findLast(({ role }) => role === 'user')
  const content = last?.content ?? ''
  return typeof content === 'string'
    ? content
    : content.map(part => (part.type === 'text' ? part.text : '[image]')).join(' ')
}
