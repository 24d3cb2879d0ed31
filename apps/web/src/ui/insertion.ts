/**
 * A text with words in place of what is selected in its field, and of so many characters before; the caret goes behind them
 * once they are drawn.
 */
export function inserted(field: HTMLTextAreaElement | null, text: string, words: string, length = 0) {
  const { selectionStart = text.length, selectionEnd = text.length } = field ?? {}
  const from = selectionStart - length
  const caret = from + words.length
  requestAnimationFrame(() => field?.setSelectionRange(caret, caret))
  return { text: text.slice(0, from) + words + text.slice(selectionEnd), caret }
}
