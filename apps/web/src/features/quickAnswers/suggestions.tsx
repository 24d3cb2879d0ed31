import { calledBy, filled, type Placeholders } from '@balcao/contract/placeholders.rules.ts'
import type { Ticket } from '@balcao/contract/tickets.ts'
import { type RefObject, useMemo, useState } from 'react'
import { useViewer } from '../../platform/session.tsx'
import { clock } from '../../platform/time.ts'
import { FilledText } from '../../ui/filled-text.tsx'
import { SuggestionList } from '../../ui/suggestions/suggestion-list.tsx'
import { useSuggestText } from './quickAnswers.suggest.text.ts'
import { useSuggestions, wordsAfterSlash } from './quickAnswers.suggest.ts'

interface Props {
  /** Variables get this ticket's values at once; null where placeholders stay for later. */
  ticket: Ticket | null
  /** Where it is written; its keys are the list's while the list is open. */
  input: RefObject<HTMLTextAreaElement | null>
  body: string
  /** Replaces the written text. */
  onPick(text: string): void
}

/** Quick answers that match a text beginning with `/`, above the field. */
export function QuickAnswerSuggestions(props: Props) {
  const words = wordsAfterSlash(props.body)
  const [isClosed, setClosed] = useState(false)
  if (words === null && isClosed) setClosed(false)
  if (words === null || isClosed) return null
  return <Suggestions {...props} words={words} onClose={() => setClosed(true)} />
}

function Suggestions({ ticket, input, words, onPick, onClose }: Props & { words: string; onClose(): void }) {
  const t = useSuggestText()
  const values = useValues(ticket)
  const { list, found, isWaiting } = useSuggestions(words, ticket?.queueId)
  return (
    <SuggestionList
      input={input}
      label={t('quickAnswers')}
      words={words}
      rows={found}
      isWaiting={isWaiting}
      paging={list}
      keyOf={one => one.id}
      option={({ shortcut, message }) => (
        <>
          <span className="mono one-line">/{shortcut}</span>
          <span className="one-line">{values ? filled(message, values) : message}</span>
        </>
      )}
      preview={({ message }) => <FilledText text={message} values={values} />}
      pickLabel={t('insert')}
      count={t(list.hasNextPage ? 'foundMore' : 'found', { count: found.length })}
      onPick={({ message }) => onPick(values ? filled(message, values) : message)}
      onClose={onClose}
    />
  )
}

function useValues(ticket: Ticket | null): Placeholders | null {
  const { name } = useViewer()
  const cliente = ticket ? calledBy(ticket.contact) : ''
  const protocolo = ticket?.protocol
  return useMemo(
    () =>
      protocolo === undefined
        ? null
        : {
            cliente,
            atendente: name,
            protocolo,
            data: clock().format('DD/MM/YYYY'),
            horas: clock().format('HH:mm'),
          },
    [cliente, name, protocolo],
  )
}
