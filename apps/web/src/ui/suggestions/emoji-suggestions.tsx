import type { RefObject } from 'react'
import { texts } from '../../platform/text.ts'
import { findEmojis } from '../emoji-words.ts'
import { singlePage } from './single-page.ts'
import { SuggestionList } from './suggestion-list.tsx'

const useText = texts({
  emojis: ['Emojis', 'Emojis', 'Emojis'],
  insert: ['inserir', 'insert', 'insertar'],
  found_one: ['{count} encontrado', '{count} found', '{count} encontrado'],
  found: ['{count} encontrados', '{count} found', '{count} encontrados'],
})

/** More are found in the picker. */
const MOST = 8

interface Props {
  input: RefObject<HTMLTextAreaElement | null>
  words: string
  onPick(emoji: string): void
  onClose(): void
}

/** Emojis that match a name, above the field. */
export default function EmojiSuggestions({ input, words, onPick, onClose }: Props) {
  const t = useText()
  const rows = findEmojis(words)
    .map((emoji, at) => ({ emoji, at }))
    .filter(({ at }) => at < MOST)
  return (
    <SuggestionList
      input={input}
      label={t('emojis')}
      words={words}
      rows={rows}
      isWaiting={false}
      paging={singlePage}
      keyOf={one => one.at}
      option={one => <span>{one.emoji}</span>}
      preview={one => <span style={{ fontSize: '2rem' }}>{one.emoji}</span>}
      pickLabel={t('insert')}
      count={t('found', { count: rows.length })}
      onPick={one => onPick(one.emoji)}
      onClose={onClose}
    />
  )
}
