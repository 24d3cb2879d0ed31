import { foundPlaces } from '@balcao/contract/words.rules.ts'
import { Button, TextInput } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { errorText } from '../../../platform/errors.text.ts'
import { useUser } from '../../../platform/session.tsx'
import { clock } from '../../../platform/time.ts'
import { IconButton } from '../../../ui/icon-button.tsx'
import { Late } from '../../../ui/late.tsx'
import { useLoadOn } from '../../../ui/list-screen/load-on.ts'
import { briefly, writerOf } from '../../media/words.ts'
import { searchOptions } from '../messages.api.ts'
import { useMessageText } from '../messages.text.ts'
import classes from './search.module.css'

/** The documents show the button at more than two characters. */
const LEAST = 3
const AROUND = 60

interface Props {
  ticketId: number
  onJump(messageId: string): void
  onClose(): void
}

/** Searches the text of the conversation; a hit jumps to its message. */
export default function MessageSearch({ ticketId, onJump, onClose }: Props) {
  const t = useMessageText()
  const [typed, setTyped] = useState('')
  const [term, setTerm] = useState('')
  const words = typed.trim()
  return (
    <search className={classes.search}>
      <form
        className={classes.bar}
        onSubmit={event => {
          event.preventDefault()
          if (words.length >= LEAST) setTerm(words)
        }}
        onKeyDown={event => {
          if (event.key === 'Escape') onClose()
        }}
      >
        <TextInput
          autoFocus
          className={classes.words}
          aria-label={t('search')}
          placeholder={t('search')}
          maxLength={200}
          value={typed}
          onChange={event => setTyped(event.currentTarget.value)}
        />
        {words.length >= LEAST && (
          <Button type="submit" variant="default">
            {t('find')}
          </Button>
        )}
        <IconButton label={t('closeSearch')} shortcut="Esc" onClick={onClose}>
          <IconX size={18} stroke={1.75} />
        </IconButton>
      </form>
      {term && <Hits key={term} ticketId={ticketId} term={term} onJump={onJump} />}
    </search>
  )
}

function Hits({ ticketId, term, onJump }: { ticketId: number; term: string; onJump(id: string): void }) {
  const t = useMessageText()
  const query = useInfiniteQuery(searchOptions(ticketId, term))
  const { data, error } = query
  const scroller = useLoadOn<HTMLUListElement>(query)
  const me = useUser().id
  const hits = data?.pages.flatMap(page => [...page.messages].reverse()) ?? []
  if (error && !data) return <p className={classes.note}>{errorText(error)}</p>
  if (!data)
    return (
      <Late>
        <p className={classes.note}>…</p>
      </Late>
    )
  if (hits.length === 0)
    return (
      <p className={classes.note} role="status">
        {t('noHits')}
      </p>
    )
  return (
    <ul {...scroller} className={classes.hits} aria-label={t('hits')}>
      {hits.map(message => (
        <li key={message.id}>
          <button type="button" onClick={() => onJump(message.id)}>
            <span>
              <strong className="one-line">{writerOf(message, me)}</strong>
              <time dateTime={message.createdAt}>{clock(message.createdAt).format('L LT')}</time>
            </span>
            <span className="one-line">
              {message.isPrivate && <strong>{t('note')}: </strong>}
              <Marked text={briefly(message)} term={term} />
            </span>
          </button>
        </li>
      ))}
      {error && (
        <li className={classes.note} role="alert">
          {errorText(error)}
          <Button variant="default" size="xs" onClick={() => void query.fetchNextPage()}>
            {t('again')}
          </Button>
        </li>
      )}
    </ul>
  )
}

/** The text around the first match, which is marked. */
function Marked({ text, term }: { text: string; term: string }) {
  const [found] = foundPlaces(text, [term])
  if (!found) return text
  const from = Math.max(0, found.from - AROUND)
  return (
    <>
      {from > 0 && '…'}
      {text.slice(from, found.from)}
      <mark>{text.slice(found.from, found.to)}</mark>
      {text.slice(found.to, found.to + AROUND * 2)}
    </>
  )
}
