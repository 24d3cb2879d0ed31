import { foundPlaces } from '@balcao/contract/words.rules.ts'
import { Fragment } from 'react'

/** A text with the search terms marked in it. */
export function Marked({ text, words }: { text: string; words: string | undefined }) {
  const places = foundPlaces(text, wordsOf(words))
  if (places.length === 0) return text
  return (
    <>
      {places.map(({ from, to }, at) => (
        <Fragment key={from}>
          {text.slice(places[at - 1]?.to ?? 0, from)}
          <mark>{text.slice(from, to)}</mark>
        </Fragment>
      ))}
      {text.slice(places.at(-1)!.to)}
    </>
  )
}

const wordsOf = (text = '') => text.trim().split(/[\s\-–,.;:!?]+/)
