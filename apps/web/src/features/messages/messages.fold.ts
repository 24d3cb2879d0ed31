/** What a bubble shows before it is unfolded: about a screen of a phone. */
const LINES = 30
const LETTERS = 3_000
/** Folding away less than this would only cost a click. */
const SLACK = 1.3

/** The beginning of a long text, the text itself when it is not long. Ends between characters, and in no blank line. */
export function shortened(text: string): string {
  if (text.length <= LETTERS * SLACK && linesOf(text, LINES * SLACK + 1) <= LINES * SLACK) return text
  const lines = text.split('\n', LINES).join('\n').slice(0, LETTERS)
  return (lines.isWellFormed() ? lines : lines.slice(0, -1)).trimEnd()
}

const linesOf = (text: string, most: number) => text.split('\n', most).length
