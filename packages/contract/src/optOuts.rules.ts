/** Whether a whole message is one of the stop words, ignoring case, accents and surrounding punctuation. */
export const isStopWord = (text: string, words: string[]): boolean => {
  const bare = plain(text)
  return bare !== '' && words.some(word => plain(word) === bare)
}

const plain = (text: string) =>
  text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
