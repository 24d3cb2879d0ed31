import type { ButtonsMessage } from './campaignSetups.ts'
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

/**
 * A text for one recipient: `{{nome}}` is filled, `{{nome|amigo}}` with a default, and of `{Oi|Olá|Bom dia}` one is
 * chosen, nested up to three levels. `\{` is a brace. Filled values are not parsed again.
 */
export function campaignText(written: string, values: CampaignValues, random: Random): CampaignText {
  const known = new Map(Object.entries(values).map(([name, value]) => [plain(name), value.trim()]))
  const missing: string[] = []
  const fill = (place: string) => {
    const [name = '', usual] = place.split('|', 2)
    const value = known.get(plain(name)) || usual?.trim()
    if (!value) missing.push(name.trim())
    return value ?? ''
  }
  const text = read(written, { fill, random, depth: 0 })
  return { text, missing: [...new Set(missing)] }
}

const MAX_DEPTH = 3

interface Reading {
  fill(place: string): string
  random: Random
  depth: number
}

function read(written: string, reading: Reading): string {
  let text = ''
  for (let at = 0; at < written.length; ) {
    const piece = pieceAt(written, at)
    at += piece.length
    if (piece.startsWith('\\')) text += piece.slice(1)
    else if (piece.startsWith('{{')) text += reading.fill(piece.slice(2, -2))
    else if (piece.length > 1) text += chosen(piece, reading)
    else text += piece
  }
  return text
}

/** The token at a position: an escaped brace, a placeholder, a choice, or a letter. */
function pieceAt(written: string, at: number): string {
  const rest = written.slice(at)
  const simple = /^\\[{}|\\]|^\{\{[^{}\n]{1,200}\}\}/.exec(rest)?.[0]
  if (simple) return simple
  if (rest[0] !== '{') return rest.slice(0, 1)
  const end = endOfChoice(rest)
  return end > 0 && branchesOf(rest.slice(1, end)).length > 1 ? rest.slice(0, end + 1) : '{'
}

/** Where the brace closes that a text begins with; −1 where it does not. */
function endOfChoice(rest: string): number {
  let open = 0
  for (let at = 0; at < rest.length; at++) {
    if (rest[at] === '\\') at++
    else if (rest[at] === '{') open++
    else if (rest[at] === '}' && --open === 0) return at
  }
  return -1
}

/** The parts between the bars of a choice, without those of nested choices or placeholders. */
function branchesOf(inner: string): string[] {
  const branches = ['']
  let open = 0
  for (let at = 0; at < inner.length; at++) {
    const letter = inner[at]!
    if (letter === '{') open++
    if (letter === '}') open--
    if (letter === '|' && open === 0) branches.push('')
    else branches[branches.length - 1] += letter === '\\' ? letter + (inner[++at] ?? '') : letter
  }
  return branches
}

function chosen(piece: string, reading: Reading): string {
  if (reading.depth >= MAX_DEPTH) return piece
  const branches = branchesOf(piece.slice(1, -1))
  const branch = branches[Math.floor(reading.random() * branches.length)]!
  return read(branch, { ...reading, depth: reading.depth + 1 })
}

const plain = (name: string) => folded(name).replace(/[^a-z0-9]/g, '')

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
