import { createElement, Fragment, type ReactNode } from 'react'

interface Mark {
  pattern: RegExp
  wrap(inner: ReactNode): ReactNode
}

/** What stands within an earlier one is looked through for the later ones; nothing is a mark within a code. */
const code: Mark = { pattern: /```([\s\S]+?)```/g, wrap: inner => <code className="mono">{inner}</code> }
const marks: Mark[] = [
  {
    pattern: /(?<![\p{L}\d*])\*(?!\s)([^*\n]+?)(?<!\s)\*(?![\p{L}\d*])/gu,
    wrap: inner => <strong>{inner}</strong>,
  },
  { pattern: /(?<![\p{L}\d_])_(?!\s)([^_\n]+?)(?<!\s)_(?![\p{L}\d_])/gu, wrap: inner => <em>{inner}</em> },
  { pattern: /(?<![\p{L}\d~])~(?!\s)([^~\n]+?)(?<!\s)~(?![\p{L}\d~])/gu, wrap: inner => <s>{inner}</s> },
]
const LINK = /https?:\/\/[^\s<>"']+[^\s<>"'.,;:!?)\]]/g

/** So many of a kind are shown in a stretch of text; whoever writes more of them wants to harm, and is shown as written. */
const MOST = 300

/** WhatsApp's marks and links as elements. Text is only ever text: nothing in it becomes markup. */
export function Formatted({ text }: { text: string }) {
  return (
    <span dir="auto" style={{ whiteSpace: 'pre-wrap' }}>
      {linked(text)}
    </span>
  )
}

/** Links first: an underscore inside an address is no mark. */
const linked = (text: string) =>
  parted(
    text,
    LINK,
    ([address]) => (
      <a href={address} target="_blank" rel="noopener noreferrer nofollow" style={{ color: 'inherit' }}>
        {address}
      </a>
    ),
    rest =>
      parted(
        rest,
        code.pattern,
        ([, inner]) => code.wrap(inner),
        plain => marked(plain, marks),
      ),
  )

function marked(text: string, [mark, ...later]: Mark[]): ReactNode {
  if (!mark) return text
  const within = (inner: string) => marked(inner, later)
  return parted(text, mark.pattern, ([, inner = '']) => mark.wrap(within(inner)), within)
}

/** A text in pieces: what a pattern finds, and what stands between. In a row, not one within the other: rows have no depth. */
function parted(
  text: string,
  pattern: RegExp,
  found: (match: RegExpExecArray) => ReactNode,
  between: (text: string) => ReactNode,
): ReactNode {
  const pieces: ReactNode[] = []
  let at = 0
  for (const match of text.matchAll(pattern)) {
    if (pieces.length > 2 * MOST) break
    if (match.index > at) pieces.push(between(text.slice(at, match.index)))
    pieces.push(found(match))
    at = match.index + match[0].length
  }
  if (at === 0) return between(text)
  if (at < text.length) pieces.push(between(text.slice(at)))
  return createElement(Fragment, null, ...pieces)
}

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
