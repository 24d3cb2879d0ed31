/** The combining marks of Latin scripts that folded() of the database removes too. */
const MARKS = /[\u0300-\u0304\u0306-\u0308\u030a\u030c\u0327\u0328]/g

/**
 * Sort and search key: lower case without accents, so that "conceicao" finds "Conceição". The database's function of
 * the same name is the same rule.
 */
export const folded = (words: string): string => words.normalize('NFD').toLowerCase().replace(MARKS, '')

/** The letters and digits of a text, folded; what stands between them is one space. */
export const bareWords = (text: string): string =>
  folded(text)
    .replace(/[^\p{L}\p{N}\p{M}]+/gu, ' ')
    .trim()

/** Where a text contains one of the words, folded: start and end in the text itself, in order, without overlap. */
export function foundPlaces(text: string, words: string[]): { from: number; to: number }[] {
  const { plain, at } = lettersOf(text)
  const sought = words
    .map(folded)
    .filter(Boolean)
    .sort((a, b) => b.length - a.length)
  const places = []
  for (let from = 0; from < plain.length; ) {
    const word = sought.find(one => plain.startsWith(one, from))
    if (word) places.push({ from: at[from]!, to: at[from + word.length]! })
    from += word?.length ?? 1
  }
  return places
}

/** A text folded character by character, and the position in the text of each unit of the result, and of its end. */
function lettersOf(text: string) {
  let plain = ''
  let position = 0
  const at: number[] = []
  for (const character of text) {
    const letters = folded(character)
    for (let unit = 0; unit < letters.length; unit++) at.push(position)
    plain += letters
    position += character.length
  }
  at.push(position)
  return { plain, at }
}
