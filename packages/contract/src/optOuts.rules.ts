/** Whether a whole message is one of the stop words, whatever its case, accents and what stands around it. */
export const isStopWord = (said: string, words: string[]): boolean => {
  const bare = plain(said)
  return bare !== '' && words.some(word => plain(word) === bare)
}

const plain = (text: string) =>
  text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
