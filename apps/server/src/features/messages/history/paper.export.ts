import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { setImmediate as othersTurn } from 'node:timers/promises'
import type { ExportLanguage } from '@balcao/contract/tickets.ts'
import PDFDocument from 'pdfkit'

/** A4, in points of 1/72 inch. */
const WIDTH = 595.28
const HEIGHT = 841.89
const MARGIN = 48
const FOOT = 36

/** A longer word is broken: what measures a line costs the square of an unbroken word. */
const LONGEST_WORD = 60

/** After so many letters others get their turn in the process. */
const LETTERS_AT_ONCE = 2_000

/** The subsets of the text font, each by the letters that it holds; Latin is the one for what none holds. */
const SUBSETS = ['latin', 'latin-ext', 'cyrillic', 'greek', 'vietnamese'] as const
const EMOJI = 'emoji'

const require = createRequire(import.meta.url)

const EMOJI_FILE = require.resolve('@fontsource/noto-emoji/files/noto-emoji-emoji-400-normal.woff')

/** Ranges of letters by subset, as the package of the font lists them: `U+0000-00FF,U+0131`. */
const ranges = new Map(
  Object.entries(
    JSON.parse(readFileSync(require.resolve('@fontsource/noto-sans/unicode.json'), 'utf8')) as Record<
      string,
      string
    >,
  ).map(([subset, list]) => [subset, rangesOf(list)]),
)

function rangesOf(list: string): [number, number][] {
  return list.split(',').map(range => {
    const [from, to] = range.replace('U+', '').split('-')
    return [Number.parseInt(from!, 16), Number.parseInt(to ?? from!, 16)]
  })
}

const emoji = /\p{Extended_Pictographic}|\p{Regional_Indicator}|\u200d|\ufe0f/u

/** Which font draws a letter; null: none does, and it is left out. */
function fontOf(letter: string): string | null {
  const code = letter.codePointAt(0)!
  const subset = SUBSETS.find(name => ranges.get(name)!.some(([from, to]) => from <= code && code <= to))
  if (subset) return subset
  return emoji.test(letter) ? EMOJI : null
}

/** Drawn for a letter that no font has. */
const UNKNOWN = '□'

interface Run {
  font: string
  text: string
  width: number
}

export interface Style {
  size: number
  bold?: boolean
  color?: string
  indent?: number
}

interface About {
  title: string
  author: string
  /** The last line of a page. */
  foot: (page: number) => string
  language: ExportLanguage
}

const LANGUAGES: Record<ExportLanguage, string> = { ptBR: 'pt-BR', en: 'en', es: 'es' }

/** Pages of lines of text, each line measured and broken here, so that a text costs its length. */
export class Paper {
  private readonly document: PDFKit.PDFDocument
  private readonly foot: (page: number) => string
  private y = MARGIN
  private page = 1
  /** Written since others had their turn. */
  private letters = 0

  constructor({ title, author, foot, language }: About) {
    this.foot = foot
    this.document = new PDFDocument({
      size: [WIDTH, HEIGHT],
      margin: 0,
      info: { Title: title, Author: author, Creator: author, Producer: author },
      lang: LANGUAGES[language],
      compress: true,
    })
    for (const weight of ['400', '700']) {
      for (const subset of SUBSETS)
        this.document.registerFont(
          `${subset} ${weight}`,
          require.resolve(`@fontsource/noto-sans/files/noto-sans-${subset}-${weight}-normal.woff`),
        )
      this.document.registerFont(`${EMOJI} ${weight}`, EMOJI_FILE)
    }
  }

  /** The bytes, as they are made. */
  async *bytes(): AsyncGenerator<Uint8Array, void> {
    for await (const part of this.document) yield Buffer.from(part)
  }

  end() {
    this.writeFoot()
    this.document.end()
  }

  /** Its reader left. */
  get isGone(): boolean {
    return this.document.destroyed
  }

  /** The reader gets the failure. */
  destroy(error: Error) {
    this.document.destroy(error)
  }

  space(height: number) {
    this.y += height
  }

  rule() {
    this.document
      .moveTo(MARGIN, this.y)
      .lineTo(WIDTH - MARGIN, this.y)
      .lineWidth(0.5)
      .strokeColor('#b8c2cc')
      .stroke()
    this.y += 8
  }

  /** At least so much room, or the next page. */
  needs(height: number) {
    if (this.y + height > HEIGHT - MARGIN - FOOT) this.turn()
  }

  async text(text: string, style: Style): Promise<void> {
    const { size, indent = 0 } = style
    for (const line of this.lines(text.normalize('NFC'), style)) {
      this.needs(size * 1.4)
      this.draw(line, MARGIN + indent, this.y, style)
      this.y += size * 1.4
      // an empty line costs, too
      this.letters += line.reduce((sum, run) => sum + run.text.length, 20)
      if (this.letters < LETTERS_AT_ONCE) continue
      this.letters = 0
      await othersTurn()
    }
  }

  private turn() {
    this.writeFoot()
    this.document.addPage()
    this.page += 1
    this.y = MARGIN
  }

  private writeFoot() {
    const style = { size: 8, color: '#51606f' }
    const [line] = this.lines(this.foot(this.page), style)
    if (line) this.draw(line, MARGIN, HEIGHT - MARGIN - 8, style)
  }

  private draw(line: Run[], from: number, y: number, { size, bold, color = '#1d2733' }: Style) {
    let x = from
    for (const { font, text, width } of line) {
      this.document
        .font(`${font} ${bold ? '700' : '400'}`)
        .fontSize(size)
        .fillColor(color)
      this.document.text(text, x, y, { lineBreak: false })
      x += width
    }
  }

  /** The lines of a text, broken between words and within words that are too long. */
  private *lines(text: string, style: Style): Generator<Run[]> {
    const room = WIDTH - 2 * MARGIN - (style.indent ?? 0)
    for (const paragraph of text.split(/\r\n|[\n\r\u2028\u2029]/)) {
      let line: Run[] = []
      let width = 0
      for (const word of wordsOf(paragraph)) {
        const runs = this.runsOf(word, style)
        const wide = runs.reduce((sum, run) => sum + run.width, 0)
        if (line.length > 0 && width + wide > room && word.trim() !== '') {
          yield line
          line = []
          width = 0
        }
        line.push(...runs)
        width += wide
      }
      yield line
    }
  }

  private runsOf(word: string, { size, bold }: Style): Run[] {
    const runs: Run[] = []
    for (const letter of word) {
      const known = fontOf(letter)
      const font = known ?? 'latin'
      const text = known ? letter : /\p{C}|\p{M}/u.test(letter) ? '' : UNKNOWN
      const last = runs.at(-1)
      if (last?.font === font) last.text += text
      else runs.push({ font, text, width: 0 })
    }
    for (const run of runs) {
      this.document.font(`${run.font} ${bold ? '700' : '400'}`).fontSize(size)
      run.width = run.text === '' ? 0 : this.document.widthOfString(run.text)
    }
    return runs
  }
}

/** Spaces and words, none longer than LONGEST_WORD letters. */
function* wordsOf(paragraph: string): Generator<string> {
  for (const [piece] of paragraph.replaceAll('\t', '    ').matchAll(/ +|[^ ]+/g)) {
    const letters = Array.from(piece)
    for (let at = 0; at < letters.length; at += LONGEST_WORD)
      yield letters.slice(at, at + LONGEST_WORD).join('')
  }
}
