import { cut } from '@balcao/contract/cut.rules.ts'
import { createElement, Fragment, type ReactNode } from 'react'

interface Mark {
  pattern: RegExp
  wrap(inner: ReactNode): ReactNode
}

/** Text inside a mark is parsed for the later marks; inside code nothing is a mark. */
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

/** Maximum of marks of a kind in a stretch of text; beyond that (an attack) the text is shown as written. */
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

/**
 * Splits a text into matches of a pattern and the text between. Iterative, not recursive: a long text cannot
 * overflow the stack.
 */
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
/** Collapsing less than this would only cost a click. */
const SLACK = 1.3

/**
 * The beginning of a long text, a shorter one unchanged. Cuts between characters, and not in a blank line.
 */
export function shortened(text: string): string {
  if (text.length <= LETTERS * SLACK && linesOf(text, LINES * SLACK + 1) <= LINES * SLACK) return text
  return cut(text.split('\n', LINES).join('\n'), LETTERS).trimEnd()
}

const linesOf = (text: string, most: number) => text.split('\n', most).length
