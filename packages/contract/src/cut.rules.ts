/** Upper bound of code units in one grapheme cluster. */
const NEAR = 64

/**
 * Truncates a text to a number of UTF-16 units without splitting a character: JSON columns and other systems refuse
 * half a surrogate pair.
 */
export function cut(text: string, most: number): string {
  if (text.length <= most) return text.toWellFormed()
  return text.slice(0, boundaryBefore(text, most)).toWellFormed()
}

function boundaryBefore(text: string, most: number): number {
  // nothing below U+0300 combines with the preceding character
  if (text.charCodeAt(most) < 0x300) return most
  const from = Math.max(0, most - NEAR)
  const around = graphemes().segment(text.slice(from, most + NEAR))
  const at = from + (around.containing(most - from)?.index ?? 0)
  if (at > from) return at
  return isLowHalf(text.charCodeAt(most)) ? most - 1 : most
}

const isLowHalf = (unit: number) => unit >= 0xdc00 && unit <= 0xdfff

let kept: Intl.Segmenter | undefined
const graphemes = () => {
  kept ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' })
  return kept
}

/** A text without the signs at its end, as many as there are. An expression would be tried at each: the square of a row. */
export function withoutLast(text: string, signs: string): string {
  let end = text.length
  while (end > 0 && signs.includes(text[end - 1]!)) end--
  return text.slice(0, end)
}
