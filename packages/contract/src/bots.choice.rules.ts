import type { ScriptCommand } from './bots.script.rules.ts'
import { optionNumber, optionTitle } from './bots.words.rules.ts'
import { cut } from './cut.rules.ts'
import { folded } from './words.rules.ts'

type Choice = Pick<ScriptCommand, 'id' | 'commandBot' | 'descriptionBot'>

/** Whether the text is the command for the first menu. */
export const isBackToMenu = (text: string): boolean => plain(text) === '#'

/**
 * The choice that an answer selects: by its number, short or whole, also as `1)`, `opção 1`, 1️⃣ or a numeral; or by
 * its name, when only one has it. Null for anything else.
 */
export function chosen<T extends Choice>(text: string, choices: T[], above: string): T | null {
  const answer = plain(text)
  if (answer === '') return null
  const number = numberIn(answer)
  if (number !== undefined) {
    const wanted = number.split('.').map(Number).join('.')
    const found =
      choices.find(choice => optionNumber(choice, above) === wanted) ??
      choices.find(choice => choice.commandBot === wanted)
    if (found) return found
  }
  const called = choices.filter(choice => namesOf(choice, above).includes(answer))
  return called.length === 1 ? called[0]! : null
}

/** The number that a plain answer names. */
export const numberIn = (answer: string) =>
  numerals.get(answer) ?? /^(?:(?:opcao|opcion|option|op)\s*)?([\d.]*\d)\s*[).:-]?$/.exec(answer)?.[1]

/** A list shows its titles with their numbers, buttons without; both cut them. */
const namesOf = (choice: Choice, above: string) =>
  [choice.descriptionBot, optionTitle(choice, above, 'list'), optionTitle(choice, above, 'buttons')]
    .map(plain)
    .filter(Boolean)

/** Without accents, case, keycaps and surrounding spaces; long texts are no choices. */
export const plain = (text: string) =>
  folded(cut(text, 500))
    .replace(/[\ufe0f\u20e3\u200b-\u200d]/g, '')
    .replace(/\s+/g, ' ')
    .trim()

const numerals = new Map(
  [
    'um uma uno one',
    'dois duas dos two',
    'tres three',
    'quatro cuatro four',
    'cinco five',
    'seis six',
    'sete siete seven',
    'oito ocho eight',
    'nove nueve nine',
    'dez diez ten',
  ].flatMap((words, at) => words.split(' ').map(word => [word, String(at + 1)] as const)),
)
