import { Fragment } from 'react'

/** A text with the search terms marked in it. */
export function Marked({ text, words }: { text: string; words: string | undefined }) {
  const sought = wordsOf(words)
  if (sought.length === 0) return text
  const parts = text.split(new RegExp(`(${sought.map(escaped).join('|')})`, 'gi'))
  return parts.map((part, at) =>
    at % 2 === 1 ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one text
      <mark key={at}>{part}</mark>
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one text
      <Fragment key={at}>{part}</Fragment>
    ),
  )
}

/** Longer terms first, so that a short one does not cut them. */
const wordsOf = (text = '') =>
  [...new Set(text.trim().split(/[\s\-–,.;:!?]+/))].filter(Boolean).sort((a, b) => b.length - a.length)

const escaped = (word: string) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
