import { commandTypes } from './bots.commands.ts'
import type { ScriptCommand } from './bots.script.rules.ts'
import type { BotState } from './bots.talk.ts'
import { Choices, MAX_OVER } from './choices.ts'
import { cut as cutText } from './cut.rules.ts'
import { PollInput } from './kinds.ts'
import { filled, type Placeholders } from './placeholders.rules.ts'
import { MAX_CLOUD_CAPTION, MAX_CLOUD_TEXT } from './tickets.rules.ts'

/** A message of the bot: text, the file of a command, choices. */
export interface BotMessage {
  /** The sending command; null for the setup itself. */
  commandId: number | null
  text: string
  mediaUrl: string | null
  options: Option[]
  /** How the choices would like to be shown; where they do not fit they are written. */
  style: 'text' | 'list' | 'buttons' | 'poll'
}

/** How a command would like its choices to be shown: one of the type buttons as buttons, unless menus are polls. */
export const styleOf = (
  { commandType }: Pick<ScriptCommand, 'commandType'>,
  { typeMenu }: { typeMenu: BotMessage['style'] },
): BotMessage['style'] => (commandType === commandTypes.buttons && typeMenu !== 'poll' ? 'buttons' : typeMenu)

interface Option {
  /** The command that it chooses, or the question that it answers (`answerTo`). */
  commandId: number
  number: string
  title: string
}

type Choice = Pick<ScriptCommand, 'id' | 'commandBot' | 'descriptionBot'>

/** What a bot says by itself, in the language of its defaults. */
export const WORDS = {
  guarded:
    'Não consegui ajudar por aqui, então vou chamar uma pessoa da equipe. Para voltar ao menu, digite #.',
  guardedModel: 'Não consegui ajudar por aqui, então vou chamar uma pessoa da equipe.',
  unheard: 'Não consigo ouvir áudios por aqui. Escreva o número da opção.',
  olderMenu:
    'Essa opção era de um menu anterior, e nada mudou. Responda à última mensagem ou digite # para ver as opções.',
}

/** A choice's number as the menu above shows it. */
export const optionNumber = ({ commandBot }: Choice, above: string): string =>
  above === '' ? commandBot : commandBot.slice(above.length + 1)

/** Short name of a choice. A list includes its number, since truncated names may be equal. */
export function optionTitle(choice: Choice, above: string, kind: Choices['kind']): string {
  const name = choice.descriptionBot.trim() || optionNumber(choice, above)
  return kind === 'list' ? cut(`${optionNumber(choice, above)} - ${name}`, 24) : cut(name, 20)
}

/** Never through the middle of a character. */
function cut(text: string, most: number): string {
  if (text.length <= most) return text
  let kept = ''
  for (const character of text) {
    if (kept.length + character.length >= most) break
    kept += character
  }
  return `${kept.trimEnd()}…`
}

/** The visible choices of a menu, by number; one without a name can only be typed. */
export const optionsOf = (choices: Choice[], above: string): Option[] =>
  choices
    .filter(({ descriptionBot }) => descriptionBot.trim() !== '')
    .map(choice => ({
      commandId: choice.id,
      number: optionNumber(choice, above),
      title: choice.descriptionBot.trim(),
    }))

/** Text and choices as one text, for channels without lists. */
export const writtenOut = ({ text, options }: BotMessage): string =>
  [text.trim(), options.map(({ number, title }) => `*${number}* - ${title}`).join('\n')]
    .filter(Boolean)
    .join('\n\n')

/**
 * The same in as many texts as the channels need, split between lines or words. The first is the caption of the file, empty
 * where the text is longer than captions may be.
 */
export function writtenParts(message: BotMessage): string[] {
  const whole = writtenOut(message)
  if (message.mediaUrl !== null) return whole.length <= MAX_CLOUD_CAPTION ? [whole] : ['', ...split(whole)]
  return split(whole)
}

function split(text: string): string[] {
  if (text.length <= MAX_CLOUD_TEXT) return [text]
  const most = cutText(text, MAX_CLOUD_TEXT)
  const gap = Math.max(most.lastIndexOf('\n'), 0) || Math.max(most.lastIndexOf(' '), 0)
  const first = gap > 0 ? text.slice(0, gap) : most
  return [first.trimEnd(), ...split(text.slice(first.length).trimStart())]
}

/**
 * The choices as a list or as buttons, below a text that is not empty; null where they do not fit (10 rows of 24
 * characters, 3 buttons of 20: Meta's limits) and have to be written as text. `open` is the label of the list.
 */
export function tapped({ text, options, style, mediaUrl }: BotMessage, open: string): Choices | null {
  if (style === 'text' || options.length === 0 || text.trim() === '' || mediaUrl !== null) return null
  const buttons = { kind: 'buttons', buttons: options.map(({ title }) => cut(title, 20)) }
  const rows = options.map(({ number, title }) => ({
    title: cut(`${number} - ${title}`, 24),
    ...(title.length > 18 && { description: cut(title, 72) }),
  }))
  const list = { kind: 'list', button: open, sections: [{ rows }] }
  for (const given of style === 'list' ? [list] : [buttons, list]) {
    const fits = Choices.safeParse(given)
    if (fits.success && text.length <= MAX_OVER[fits.data.kind]) return fits.data
  }
  return null
}

/** The choices as a poll; null where they do not fit (12 different ones of 100 characters, below a short text without a file). */
export function asPoll({ text, options, style, mediaUrl }: BotMessage): PollInput | null {
  if (style !== 'poll' || mediaUrl !== null) return null
  const poll = { question: text, options: options.map(({ title }) => title) }
  return PollInput.safeParse(poll).data ?? null
}

const TAP = 'bot:'

/** What the network returns with a tap, one for each choice in order; Meta takes no two that are equal. */
export const tapIdsOf = ({ options }: BotMessage): string[] =>
  options.map(({ commandId, number }) => `${TAP}${commandId}:${number}`)

/** The command of a tap; null for a text, or a tap on something else. */
export function tappedCommand(tapId: string | undefined): number | null {
  const [, id] = /^bot:(-?\d{1,9})(?::[\d.]+)?$/.exec(tapId ?? '') ?? []
  return id === undefined ? null : Number(id)
}

type Told = Pick<BotState, 'answers' | 'variables'>

/** Fills placeholders: those of greetings, variables, `{{resposta}}` and `{{resposta_1_2}}`. */
export const worded = (text: string, values: Placeholders, told: Told): string =>
  text.includes('{{') ? filled(text, placeholderValues(values, told)) : text

export function placeholderValues(values: Placeholders, { answers, variables }: Told) {
  const given = Object.fromEntries(
    answers.map(answer => [`resposta_${answer.number.replaceAll('.', '_')}`, answer.text]),
  )
  return { ...given, ...variables, ...values, ...lastAnswer(answers) }
}

const lastAnswer = (answers: BotState['answers']) => ({ resposta: answers.at(-1)?.text ?? '' })
