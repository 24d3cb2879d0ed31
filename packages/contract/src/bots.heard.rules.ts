import type { ScriptCommand } from './bots.script.rules.ts'
import { optionNumber, optionTitle } from './bots.words.rules.ts'

/** What leads back to the first menu. */
export const isBackToMenu = (text: string): boolean => plain(text) === '#'

/**
 * Which of the choices somebody means who writes or taps: its number as it is shown or whole, also as `1)`, `opção 1`,
 * 1️⃣ or a word; or what it is called, when only one is called so. Null for anything else.
 */
export function chosen(text: string, choices: ScriptCommand[], above: string): ScriptCommand | null {
  const heard = plain(text)
  if (heard === '') return null
  const number =
    spoken.get(heard) ?? /^(?:(?:opcao|opcion|option|op)\s*)?([\d.]*\d)\s*[).:-]?$/.exec(heard)?.[1]
  if (number !== undefined) {
    const wanted = number.split('.').map(Number).join('.')
    const found =
      choices.find(choice => optionNumber(choice, above) === wanted) ??
      choices.find(choice => choice.commandBot === wanted)
    if (found) return found
  }
  const called = choices.filter(choice => namesOf(choice, above).includes(heard))
  return called.length === 1 ? called[0]! : null
}

/** A list shows its titles with their numbers, buttons without; both cut them. */
const namesOf = (choice: ScriptCommand, above: string) =>
  [choice.descriptionBot, optionTitle(choice, above, 'list'), optionTitle(choice, above, 'buttons')]
    .map(plain)
    .filter(Boolean)

/** Without accents, case, keycaps and the spaces around; long texts are no choices. */
const plain = (text: string) =>
  text
    .slice(0, 500)
    .normalize('NFD')
    .replace(/[\u0300-\u036f\ufe0f\u20e3\u200b-\u200d]/g, '')
    .toLowerCase()
    .replace(/\s+/g, ' ')
    .trim()

const spoken = new Map(
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
