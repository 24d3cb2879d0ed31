import { numberIn, plain } from './bots.choice.rules.ts'
import type { ButtonsMessage, CampaignButton } from './campaignSetups.ts'
import { folded } from './words.rules.ts'

/** Values of `{{nome}}` and the other placeholders, before the columns of a recipient's row. */
export type CampaignValues = Record<string, string>

/** Placeholders of every recipient, besides the columns of the spreadsheet. */
export const campaignPlaces = [
  'nome',
  'primeiroNome',
  'numero',
  'email',
  'data',
  'horas',
  'atendente',
] as const

export interface CampaignText {
  text: string
  /** Placeholders without a value. */
  missing: string[]
}

/** A number from 0 up to, but not, 1. */
type Random = () => number

/** A text as it is read once: literal text, a placeholder, or a choice between texts. */
export type TextPiece = string | { place: string } | { branches: TextPiece[][] }

/**
 * A text for one recipient: `{{nome}}` is filled, `{{nome|amigo}}` with a default, and of `{Oi|Olá|Bom dia}` one is
 * chosen, nested up to three levels. `\{` is a brace. Filled values are not parsed again. `standIns` are defaults by name.
 */
export const campaignText = (
  written: string,
  values: CampaignValues,
  random: Random,
  standIns: CampaignValues = {},
): CampaignText => filledText(readText(written), values, random, standIns)

/** The same of a text that was read. */
export function filledText(
  pieces: TextPiece[],
  values: CampaignValues,
  random: Random,
  standIns: CampaignValues = {},
): CampaignText {
  const known = byPlainName(values)
  const others = byPlainName(standIns)
  const missing: string[] = []
  const fill = (place: string) => {
    const { name, usual } = placeIn(place)
    const value = known.get(plainName(name)) || usual || others.get(plainName(name))
    if (!value) missing.push(name)
    return value ?? ''
  }
  return { text: joined(pieces, fill, random), missing: [...new Set(missing)] }
}

/** Names of the placeholders that nothing but a value fills. */
export const placeholdersIn = (pieces: TextPiece[], standIns: CampaignValues): string[] =>
  pieces.flatMap(piece => {
    if (typeof piece === 'string') return []
    if ('branches' in piece) return piece.branches.flatMap(branch => placeholdersIn(branch, standIns))
    const { name, usual } = placeIn(piece.place)
    return usual || byPlainName(standIns).get(plainName(name)) ? [] : [name]
  })

/** Whether the texts of two recipients may differ in more than their values. */
export const hasChoice = (pieces: TextPiece[]) =>
  pieces.some(piece => typeof piece !== 'string' && 'branches' in piece)

function placeIn(place: string) {
  const [name = '', usual] = place.split('|', 2)
  return { name: name.trim(), usual: usual?.trim() }
}

const byPlainName = (values: CampaignValues) =>
  new Map(Object.entries(values).map(([name, value]) => [plainName(name), value.trim()]))

function joined(pieces: TextPiece[], fill: (place: string) => string, random: Random): string {
  return pieces
    .map(piece => {
      if (typeof piece === 'string') return piece
      if ('place' in piece) return fill(piece.place)
      return joined(piece.branches[Math.floor(random() * piece.branches.length)]!, fill, random)
    })
    .join('')
}

const MAX_DEPTH = 3

/** Reads a text once, for many recipients; its cost grows with the length of the text. */
export const readText = (written: string): TextPiece[] =>
  readBetween(written, choicesIn(written), 0, written.length, 0)

const PLACE = /\{\{([^{}\n]{1,200})\}\}/y

/** The placeholder that begins at a brace; an expression at each brace would cost more than all the rest. */
function placeAt(written: string, at: number): string | undefined {
  if (written[at + 1] !== '{') return undefined
  PLACE.lastIndex = at
  return PLACE.exec(written)?.[1]
}

/** Where the text that begins at `at` ends: before an escaped sign, or before what may be a placeholder or a choice. */
function endOfText(written: string, at: number, to: number): number {
  let end = at
  while (end < to && written[end] !== '{' && written[end] !== '\\') end++
  return end
}

function readBetween(
  written: string,
  choices: Map<number, Choice>,
  from: number,
  to: number,
  depth: number,
): TextPiece[] {
  const pieces: TextPiece[] = []
  const literal = (text: string) => {
    if (text === '') return
    if (typeof pieces.at(-1) === 'string') pieces[pieces.length - 1] += text
    else pieces.push(text)
  }
  for (let at = from; at < to; ) {
    const letter = written[at]
    const place = letter === '{' ? placeAt(written, at) : undefined
    const choice = letter === '{' && !place ? choices.get(at) : undefined
    if (letter === '\\') {
      const escaped = /[{}|\\]/.test(written[at + 1] ?? '') ? written[at + 1]! : ''
      literal(escaped)
      at += 1 + escaped.length
    } else if (place) {
      pieces.push({ place })
      at += place.length + 4
    } else if (choice) {
      if (depth < MAX_DEPTH) pieces.push({ branches: choice.branches.map(read(depth + 1)) })
      else literal(written.slice(at, choice.end + 1))
      at = choice.end + 1
    } else {
      const end = letter === '{' ? at + 1 : endOfText(written, at, to)
      literal(written.slice(at, end))
      at = end
    }
  }
  return pieces

  function read(level: number) {
    return ([start, end]: [number, number]) => readBetween(written, choices, start, end, level)
  }
}

/** A choice between texts: where it is closed, and where each of its texts begins and ends. */
interface Choice {
  end: number
  branches: [number, number][]
}

/** Every choice by the position of its brace, of whatever depth: braces that close and have a bar directly within. */
function choicesIn(written: string): Map<number, Choice> {
  const choices = new Map<number, Choice>()
  const open: { at: number; bars: number[] }[] = []
  for (let at = 0; at < written.length; at++) {
    const letter = written[at]
    if (letter === '\\') at++
    else if (letter === '{') open.push({ at, bars: [] })
    else if (letter === '|') open.at(-1)?.bars.push(at)
    else if (letter === '}') {
      const last = open.pop()
      if (last && last.bars.length > 0) choices.set(last.at, choiceOf(last, at))
    }
  }
  return choices
}

const choiceOf = ({ at, bars }: { at: number; bars: number[] }, end: number): Choice => ({
  end,
  branches: [at, ...bars].map((bar, index) => [bar + 1, bars[index] ?? end]),
})

/** A name as placeholders and columns are compared: without accents, case and other signs. */
export const plainName = (name: string) => folded(name).replace(/[^a-z0-9]/g, '')

/** The first name in a full name. */
export const firstName = (name: string) => name.trim().split(/\s+/)[0] ?? ''

/** Random numbers that are the same for the same person. */
export function seeded(seed: number): Random {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** The text of a template for one recipient. */
export const templateText = (text: string, variables: string[]) =>
  text.replace(/\{\{(\d+)\}\}/g, (place, number: string) => variables[Number(number) - 1]?.trim() || place)

/** Buttons on channels without them: the text, and numbers to answer with. */
export const buttonsAsText = ({ text, footer, buttons }: ButtonsMessage) =>
  [
    text,
    buttons.map(({ buttonText }, at) => `${at + 1}. ${buttonText.displayText}`).join('\n'),
    footer && `_${footer}_`,
  ]
    .filter(Boolean)
    .join('\n\n')

/** The button that an answer selects, by its text or, where buttons came as text, by its number; null for anything else. */
export function buttonChosen(buttons: CampaignButton[], text: string): CampaignButton | null {
  const answer = plain(text)
  if (answer === '') return null
  const called = buttons.filter(({ buttonText }) => plain(buttonText.displayText) === answer)
  if (called.length === 1) return called[0]!
  return buttons[Number(numberIn(answer)) - 1] ?? null
}
