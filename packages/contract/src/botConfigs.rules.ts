import { cut } from './cut.rules.ts'
import type { ModelFailure } from './integrations.ts'
import { bareWords } from './words.rules.ts'

/** The models of the documents, each with the day its maker ends it (platform.openai.com/docs/deprecations). */
export const SUGGESTED_MODELS = [
  { id: 'gpt-3.5-turbo', ends: '2026-10-23' },
  { id: 'gpt-4', ends: '2026-10-23' },
  { id: 'gpt-4o', ends: '2027-01-14' },
]

/** From and to of each number, and its step: administration §5. */
export const RANGES = {
  maxMessagesForDialog: { min: 2, max: 100, step: 1 },
  firstDelay: { min: 0, max: 30, step: 1 },
  lastDelay: { min: 0, max: 30, step: 1 },
  typingSpeed: { min: 0, max: 100, step: 1 },
  temperature: { min: 0, max: 0.9, step: 0.1 },
  maxTokens: { min: 100, max: 2000, step: 10 },
  topP: { min: 0, max: 0.9, step: 0.1 },
  frequencyPenalty: { min: 0, max: 0.9, step: 0.1 },
  presencePenalty: { min: 0, max: 1, step: 0.1 },
} as const

/** What a new configuration begins with: administration §9; the documents do not show the two texts (OP-130). */
export const DEFAULTS = {
  firstDelay: 5,
  lastDelay: 10,
  typingSpeed: 100,
  temperature: 0.1,
  frequencyPenalty: 0.9,
  presencePenalty: 0.9,
  topP: 0.5,
  maxTokens: 1000,
  maxMessagesForDialog: 10,
  model: 'gpt-3.5-turbo',
  inactivityMessage: 'Ainda está por aí? Se precisar de mais alguma coisa, é só escrever.',
  messageForMaxMessagesExceeded:
    'Vou transferir o seu atendimento para um de nossos atendentes. Aguarde um momento, por favor.',
}

/** Reply to a message that holds only content the model does not accept. */
export const NOT_SUPPORTED =
  'Por aqui eu ainda não consigo ouvir áudios nem abrir imagens e arquivos. Pode me escrever em texto o que precisa?'

/** Silence of the customer after an answer before the inactivity message is sent; the documents give no figure. */
export const SILENCE_MINUTES = 15

/** Phrases of a list: one a line, or separated by commas or semicolons. */
export const listed = (text: string): string[] =>
  text
    .split(/[\n,;]/)
    .map(word => word.trim())
    .filter(Boolean)

const plain = (text: string) => ` ${bareWords(text)} `

/** True when a text contains one of the listed words as a whole word, ignoring case and accents: it is not answered. */
export function isIgnored(text: string, ignoreWords: string): boolean {
  const received = plain(text)
  return listed(ignoreWords).some(word => plain(word).trim() !== '' && received.includes(plain(word)))
}

/** Typing time of an answer: a fixed rate of letters per second, up to the last delay; 0 types nothing. */
export const typingMs = (
  text: string,
  { typingSpeed, lastDelay }: { typingSpeed: number; lastDelay: number },
) => (typingSpeed === 0 ? 0 : Math.round(Math.min(lastDelay, text.length / typingSpeed) * 1000))

/** Limits of calls of a model per hour: by the tickets of one contact, in one ticket, and by a whole company. */
export const MODEL_CALLS_AN_HOUR = { contact: 40, ticket: 30, company: 1_000 }

/** Timeouts of the model, all rounds together: for the first try, and after a failure; half a minute in all. */
export const patienceMs = (tries: number) => (tries === 0 ? 22_000 : 8_000)
/** What failed after a longer time is not tried again. */
const QUICK_MS = 5_000
const PAUSES_MS = [2_000, 5_000]
/** Upper bound of a delay that the other side asks for. */
const LONGEST_PAUSE_MS = 5_000
const PASSING = new Set<ModelFailure>(['busy', 'cut', 'server', 'empty', 'nonsense', 'unreachable', 'ours'])

/** Milliseconds before retry number `tries` of a failed answer; null: escalate. */
export function nextTry(
  failure: ModelFailure,
  { tries, ms, retryAfterMs = 0 }: { tries: number; ms: number; retryAfterMs?: number },
): number | null {
  const pause = PASSING.has(failure) ? PAUSES_MS[tries - 1] : undefined
  if (pause === undefined || ms > QUICK_MS || retryAfterMs > LONGEST_PAUSE_MS) return null
  return Math.max(pause, retryAfterMs)
}

/** An answer that was cut at its limit, up to its last whole sentence or line; empty where it has none. */
export function wholeSentences(text: string): string {
  const ends = [...text.matchAll(/(?<!\d)[.!?…]+["'”’)\]*_]*(?=\s)|\n/g)]
  const last = ends.at(-1)
  return last ? text.slice(0, last.index + last[0].length).trim() : ''
}

/** What a call of a model holds of a conversation: characters, about four a token, and pictures. */
const MOST_CHARACTERS = 24_000
const MOST_PICTURES = 3

/**
 * The newest messages that fit into one call, in order. The last is always there, shortened where it alone is too long; pictures
 * beyond the newest few are not shown.
 */
export function withinBudget<T extends { body: string; mediaType: string | null }>(
  messages: T[],
): (T & { isShown: boolean })[] {
  const kept: (T & { isShown: boolean })[] = []
  let left = MOST_CHARACTERS
  let pictures = 0
  for (const message of messages.toReversed()) {
    const isLast = kept.length === 0
    if (message.body.length > left && !isLast) break
    const body = cut(message.body, left)
    left -= body.length
    const isPicture = message.mediaType === 'image'
    if (isPicture) pictures += 1
    kept.unshift({ ...message, body, isShown: isPicture && pictures <= MOST_PICTURES })
  }
  return kept
}

/** Whether a model accepts images, known only from its name. */
export const seesPictures = (model: string) =>
  /^(gpt-4o|gpt-4\.1|gpt-5|o[134](?!\d)|chatgpt-4o|claude|gemini|gemma-?3|pixtral|qwen.*vl|llava)|vision/i.test(
    model,
  )

/** Whether a text contains something that looks like a key: prompts may leak to customers. */
export const holdsSecret = (context: string) =>
  /\b(sk-[\w-]{16,}|ghp_\w{20,}|AKIA[A-Z0-9]{12,}|xox[abp]-[\w-]{10,})|(senha|password|token)\s*[:=]\s*\S{6,}/i.test(
    context,
  )

/** The messages of a dialog with those that are answered last: what was sent by itself meanwhile, a greeting, stands before them. */
export function answeredLast<T extends { fromMe: boolean }>(messages: T[]): T[] {
  const last = messages.findLastIndex(({ fromMe }) => !fromMe)
  if (last < 0) return messages
  const first = messages.findLastIndex(({ fromMe }, at) => at < last && fromMe) + 1
  return [...messages.slice(0, first), ...messages.slice(last + 1), ...messages.slice(first, last + 1)]
}
