import type { ModelFailure } from './integrations.ts'

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

/** Said to whoever sends only what the model cannot take. */
export const CANNOT_TAKE =
  'Por aqui eu ainda não consigo ouvir áudios nem abrir imagens e arquivos. Pode me escrever em texto o que precisa?'

/** So long a customer may be silent behind an answer, before the inactivity message goes out: the documents do not say. */
export const SILENCE_MINUTES = 15

/** Words or sentences that somebody listed: one a line, or with commas or semicolons between them. */
export const listed = (text: string): string[] =>
  text
    .split(/[\n,;]/)
    .map(word => word.trim())
    .filter(Boolean)

const plain = (text: string) =>
  ` ${text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()} `

/** True when a text holds one of the listed words as a word of its own, whatever its case and accents: it is not answered. */
export function isIgnored(text: string, ignoreWords: string): boolean {
  const heard = plain(text)
  return listed(ignoreWords).some(word => plain(word).trim() !== '' && heard.includes(plain(word)))
}

/** How long an answer is typed: so many letters a second, and never longer than the last delay; 0 types nothing. */
export const typingMs = (
  text: string,
  { typingSpeed, lastDelay }: { typingSpeed: number; lastDelay: number },
) => (typingSpeed === 0 ? 0 : Math.round(Math.min(lastDelay, text.length / typingSpeed) * 1000))

const PAUSES_MS = [2_000, 8_000]
/** Longer than this nobody is made to wait. */
const LONGEST_PAUSE_MS = 30_000
const PASSING = new Set<ModelFailure>(['busy', 'slow', 'cut', 'server', 'empty', 'nonsense', 'unreachable'])

/** After how many milliseconds an answer is tried again that failed for the `tries`th time; null: a person takes over. */
export function nextTry(failure: ModelFailure, tries: number, retryAfterMs = 0): number | null {
  const pause = PASSING.has(failure) ? PAUSES_MS[tries - 1] : undefined
  if (pause === undefined || retryAfterMs > LONGEST_PAUSE_MS) return null
  // whoever was silent for a minute is not asked a third time
  return failure === 'slow' && tries > 1 ? null : Math.max(pause, retryAfterMs)
}

/** Whether a model looks at pictures, by what its maker calls it: nothing else tells. */
export const seesPictures = (model: string) =>
  /^(gpt-4o|gpt-4\.1|gpt-5|o[134](?!\d)|chatgpt-4o|claude|gemini|gemma-?3|pixtral|qwen.*vl|llava)|vision/i.test(
    model,
  )

/** Whether a text holds what looks like a key: what a model is told, a customer may learn. */
export const holdsSecret = (context: string) =>
  /\b(sk-[\w-]{16,}|ghp_\w{20,}|AKIA[A-Z0-9]{12,}|xox[abp]-[\w-]{10,})|(senha|password|token)\s*[:=]\s*\S{6,}/i.test(
    context,
  )
