import { bareWords } from './words.rules.ts'

/** Whether a whole message is one of the stop words, ignoring case, accents and surrounding punctuation. */
export const isStopWord = (text: string, words: string[]): boolean => {
  const bare = bareWords(text)
  return bare !== '' && words.some(word => bareWords(word) === bare)
}
