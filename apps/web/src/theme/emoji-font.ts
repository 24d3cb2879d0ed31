import url from 'twemoji-colr-font/twemoji.woff2?url'

/** What the font may draw: pictures, flags and what joins them; never letters, digits or signs that a text font has. */
const PICTURES =
  'U+200D, U+20E3, U+231A-231B, U+23E9-23FA, U+25FD-25FE, U+2600-27BF, U+2B05-2B55, U+3297-3299, U+FE0F, U+1F000-1FAFF, U+E0020-E007F'

/**
 * Where the system draws no emoji (servers that people work on, kiosks, plain Linux) a font of ours does: 470 kB, which
 * the browser fetches when the first emoji is to be drawn. base.css names it before the system’s fonts.
 */
export function drawEmoji(): void {
  if (!systemDraws(THINKING))
    document.fonts.add(new FontFace('Emoji', `url(${url})`, { unicodeRange: PICTURES }))
}

/** An emoji the system cannot draw looks like an unassigned character. */
function systemDraws(emoji: string): boolean {
  const canvas = document.createElement('canvas')
  const pen = canvas.getContext('2d', { willReadFrequently: true })
  if (!pen) return true
  const drawn = (text: string) => {
    pen.clearRect(0, 0, canvas.width, canvas.height)
    pen.font = '32px sans-serif'
    pen.textBaseline = 'top'
    pen.fillText(text, 0, 0)
    return pen.getImageData(0, 0, canvas.width, canvas.height).data.join()
  }
  return drawn(emoji) !== drawn(NEVER)
}

/** Text fonts with the oldest emojis lack this one. */
const THINKING = '\u{1F914}'
/** A code point that stays without a character. */
const NEVER = '\u{1FFFE}'
