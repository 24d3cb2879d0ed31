/** On one line, and no longer than so many characters; emojis are not cut. */
export function onOneLine(text: string, most: number): string {
  const line = Array.from(text.replace(/\s+/g, ' ').trim())
  return line.length > most ? `${line.slice(0, most).join('')}…` : line.join('')
}
