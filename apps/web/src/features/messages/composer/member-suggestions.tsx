import { useQuery } from '@tanstack/react-query'
import type { RefObject } from 'react'
import { phoneText } from '../../../platform/phone.ts'
import { texts } from '../../../platform/text.ts'
import { singlePage } from '../../../ui/suggestions/single-page.ts'
import { SuggestionList } from '../../../ui/suggestions/suggestion-list.tsx'
import { membersOptions } from './composer.api.ts'

const useText = texts({
  members: ['Participantes do grupo', 'Members of the group', 'Participantes del grupo'],
  mention: ['mencionar', 'mention', 'mencionar'],
  found_one: ['{count} participante', '{count} member', '{count} participante'],
  found: ['{count} participantes', '{count} members', '{count} participantes'],
})

const MOST = 20

interface Props {
  ticketId: number
  input: RefObject<HTMLTextAreaElement | null>
  words: string
  onPick(name: string): void
  onClose(): void
}

/** Members of a group whose name or number begins with what is written. */
export default function MemberSuggestions({ ticketId, input, words, onPick, onClose }: Props) {
  const t = useText()
  const { data = [], isPending } = useQuery(membersOptions(ticketId))
  const asked = folded(words)
  const rows = data
    .filter(one =>
      folded(one.name)
        .split(' ')
        .some(word => word.startsWith(asked)),
    )
    .map((member, at) => ({ member, at }))
    .filter(({ at }) => at < MOST)
  return (
    <SuggestionList
      input={input}
      label={t('members')}
      words={words}
      rows={rows}
      isWaiting={isPending}
      paging={singlePage}
      keyOf={one => one.at}
      option={({ member }) => (
        <>
          <span className="one-line">{member.name}</span>
          <span className="one-line">{member.number && phoneText(member.number)}</span>
        </>
      )}
      preview={({ member }) => `@${member.name}`}
      pickLabel={t('mention')}
      count={t('found', { count: rows.length })}
      onPick={({ member }) => onPick(member.name)}
      onClose={onClose}
    />
  )
}

const folded = (text: string) => text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase()
