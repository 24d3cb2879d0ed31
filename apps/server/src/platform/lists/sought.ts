import { isNumberSearch, spellingsOf } from '@balcao/contract/contacts.rules.ts'
import { folded } from '@balcao/contract/words.rules.ts'

/** What a search for people looks for, as patterns of `like`. */
export interface SoughtPeople {
  /** All patterns of one of these have to match. */
  words: string[][]
  /** Or one of these a number. */
  numbers: string[]
}

/** Every word of a search by the patterns of its spellings, for folded texts. */
export const wordsIn = (search: string): string[][] => pieces(search).map(spellingsOfWord)

/** A search for people, by the words of contacts: name, username with its sign, and number, a line each. */
export function peopleIn(search: string): SoughtPeople {
  if (isNumberSearch(search)) {
    const written = containing(folded(search.trim()))
    const numbers = spellingsOf(search).map(containing)
    // the words hold the number, too: what is written as it is stored is looked for once
    return { words: [[written]], numbers: numbers.filter(one => one !== written) }
  }
  const words = pieces(search)
  return { words: words.length > 0 ? combined(words.map(spellingsOfPerson)) : [], numbers: [] }
}

/** An index finds what matches all of some patterns in one go, not what matches one of several for each word. */
const combined = (words: string[][]): string[][] =>
  words.reduce<string[][]>(
    (ways, spellings) =>
      ways.flatMap(way => spellings.slice(0, ways.length < MOST_WAYS ? 2 : 1).map(one => [...way, one])),
    [[]],
  )

/** The words of a search as one pattern for folded texts; empty when there are none. */
export function patternOf(search: string): string {
  const phrase = folded(search.trim())
  return phrase && containing(phrase)
}

/** Patterns as a function of the database takes them: records of which one, with units that all have to match. */
export const asRecords = (words: string[][]) => words.map(asUnits).join('\x1e')
export const asUnits = (patterns: string[]) => patterns.join('\x1f')

/** More words than these are one. */
const MOST_WORDS = 8
const MOST_WAYS = 4

function pieces(search: string): string[] {
  const words = folded(search)
    .split(/[\s\p{Cc}]+/u)
    .filter(Boolean)
  const rest = words.slice(MOST_WORDS - 1).join(' ')
  return [...words.slice(0, MOST_WORDS - 1), ...(rest ? [rest] : [])]
}

function spellingsOfPerson(word: string): string[] {
  // any part of a username
  if (/^@./.test(word)) return [`%@${containing(word.slice(1))}`]
  const digits = word.replace(/\D/g, '')
  if (!digits || !/^[\d.()-]+$/.test(word)) return spellingsOfWord(word)
  // a few digits beside a name begin a word of it: the number, which is the last line, would hold them by chance
  return digits.length < 4 ? ['', '% '].map(before => `${before}${escaped(word)}%\n%`) : [containing(digits)]
}

/** With and without the apostrophe of d'Ávila and O'Brien, which people leave out. */
function spellingsOfWord(word: string): string[] {
  const bare = word.replace(/['’´`]/g, '')
  const [, first, rest] = /^(d(?=[aeiouh])|o(?=[bcdhmnr]))(.{4,})$/.exec(bare) ?? []
  return first && rest ? [containing(bare), `%${first}_${escaped(rest)}%`] : [containing(word)]
}

const containing = (text: string) => `%${escaped(text)}%`

const escaped = (text: string) => text.replace(/[\\%_]/g, found => `\\${found}`)
