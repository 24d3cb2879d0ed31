import { folded } from '@balcao/contract/words.rules.ts'
import { IconUsersGroup } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type RefObject, useState } from 'react'
import { texts } from '../../../platform/text.ts'
import { singlePage } from '../../../ui/suggestions/single-page.ts'
import { SuggestionList } from '../../../ui/suggestions/suggestion-list.tsx'
import { namedOptions } from './composer.note.api.ts'

const useText = texts({
  colleagues: ['Colegas e filas', 'Colleagues and queues', 'Colegas y colas'],
  mention: ['mencionar', 'mention', 'mencionar'],
  queue: ['fila', 'queue', 'cola'],
  found_one: ['{count} nome', '{count} name', '{count} nombre'],
  found: ['{count} nomes', '{count} names', '{count} nombres'],
})

/** An `@` at the beginning of a word, and the first letters of a name. */
const ASKED = /(?:^|\s)@([\p{L}\p{N}]{0,30})$/u
const MOST = 20

interface Props {
  input: RefObject<HTMLTextAreaElement | null>
  body: string
  caret: number
  /** Replaces so many characters before the caret. */
  onPick(text: string, length: number): void
}

/** Colleagues and queues, above the field of a note, where an `@` is written. */
export function ColleagueCompletion({ input, body, caret, onPick }: Props) {
  const t = useText()
  const words = ASKED.exec(body.slice(0, caret))?.[1]
  const [closed, setClosed] = useState<number | null>(null)
  // asked as soon as the field is there: a name that was typed whole is a mention too
  const { data = [], isPending } = useQuery(namedOptions)
  const from = caret - (words?.length ?? 0)
  if (words === undefined || closed === from) return null
  const asked = folded(words)
  const rows = data
    .filter(({ name }) =>
      folded(name)
        .split(' ')
        .some(word => word.startsWith(asked)),
    )
    .slice(0, MOST)
    .map((one, at) => ({ ...one, at }))
  return (
    <SuggestionList
      input={input}
      label={t('colleagues')}
      words={words}
      rows={rows}
      isWaiting={isPending}
      paging={singlePage}
      keyOf={one => one.at}
      option={one => (
        <>
          <span className="one-line">{one.name}</span>
          <span className="one-line">
            {one.isQueue && (
              <>
                <IconUsersGroup size={14} aria-hidden /> {t('queue')}
              </>
            )}
          </span>
        </>
      )}
      preview={one => `@${one.name}`}
      pickLabel={t('mention')}
      count={t('found', { count: rows.length })}
      onPick={one => onPick(`${one.name} `, words.length)}
      onClose={() => setClosed(from)}
    />
  )
}
