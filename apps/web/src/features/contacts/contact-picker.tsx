import type { Contact } from '@balcao/contract/contacts.ts'
import { TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useInfiniteQuery } from '@tanstack/react-query'
import { type KeyboardEvent, useEffect, useId, useState } from 'react'
import { phoneText } from '../../platform/phone.ts'
import { typedAhead } from '../../platform/typed-ahead.ts'
import { PICKER_MIN, TYPING_MS } from '../../platform/typing.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { useLoadOn } from '../../ui/list-screen/load-on.ts'
import { soon } from '../../ui/soon.tsx'
import { contactList } from './contacts.api.ts'
import { useStartText } from './contacts.start.text.ts'
import classes from './new-ticket.module.css'

/** With the numbering plans of all countries. */
const AddContact = soon(() => import('./add-contact.tsx'), { isLarge: true })

const CREATE_MIN = 3

export type Chosen = Pick<Contact, 'id' | 'name'>

/** A contact by name or number, chosen by pointer or by arrows and Enter; or a new one from what was typed. */
export function ContactPicker({
  contact,
  onPick,
}: {
  contact: Chosen | null
  onPick(contact: Chosen | null): void
}) {
  const t = useStartText()
  const listId = useId()
  const [typed, setTyped] = useState('')
  const [adding, setAdding] = useState(false)
  const [at, setAt] = useState(0)
  const [isAsked, setAsked] = useState(false)
  const { found, isAnswered, error, scroller } = useContactSearch(typed, contact === null)
  const mayAdd = isAnswered && typed.trim().length >= CREATE_MIN
  const options = found.length + Number(mayAdd)
  const optionId = (index: number) => `${listId}-${index}`

  const choose = (index: number) => {
    const one = found[index]
    if (one) onPick(one)
    else if (index === found.length && mayAdd) setAdding(true)
  }
  // Enter accepts a result of the current text only, not of the previous one
  useEffect(() => {
    if (!isAsked || !isAnswered) return
    setAsked(false)
    choose(0)
  })
  const move = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing || contact) return
    if (event.key === 'Enter' && !isAnswered && typed.trim().length >= PICKER_MIN) {
      event.preventDefault()
      return setAsked(true)
    }
    if (options === 0) return
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: options - 1 }[event.key]
    if (event.key === 'Enter') choose(at)
    else if (to === undefined || (event.key.length < 5 && typed !== '')) return
    else {
      const next = (to + options) % options
      setAt(next)
      document.getElementById(optionId(next))?.scrollIntoView({ block: 'nearest' })
    }
    event.preventDefault()
  }

  if (adding)
    return (
      <AddContact
        name={typed}
        onAdded={added => {
          setAdding(false)
          setTyped(added.name)
          onPick(added)
        }}
      />
    )
  return (
    <div>
      <TextInput
        label={t('contact')}
        placeholder={t('searchContact')}
        data-autofocus
        role="combobox"
        aria-autocomplete="list"
        aria-expanded={options > 0 && !contact}
        aria-controls={listId}
        aria-activedescendant={options > 0 && !contact ? optionId(at) : undefined}
        value={contact ? contact.name : typed}
        error={error ? t('contactsFailed') : undefined}
        onFocus={() => {
          const ahead = typedAhead.take()
          setTyped(typed + ahead.struck)
          if (ahead.isEntered && ahead.struck.trim().length >= PICKER_MIN) setAsked(true)
        }}
        onKeyDown={move}
        onChange={event => {
          onPick(null)
          setAsked(false)
          setAt(0)
          setTyped(event.currentTarget.value)
        }}
      />
      <div id={listId} role="listbox" aria-label={t('foundContacts')} className={classes.found} {...scroller}>
        {!contact &&
          Array.from({ length: options }, (_, index) => {
            const one = found[index]
            return (
              // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the focus and its keys choose
              <div
                key={one?.id ?? 'new'}
                id={optionId(index)}
                role="option"
                tabIndex={-1}
                aria-selected={index === at}
                className={classes.option}
                onClick={() => choose(index)}
              >
                {one ? (
                  <>
                    <Avatar name={one.name} isGroup={one.isGroup} size={28} />
                    <span className="one-line">{one.name}</span>
                    <span className={classes.number}>{phoneText(one.number)}</span>
                  </>
                ) : (
                  t('addContact', { text: typed.trim() })
                )}
              </div>
            )
          })}
      </div>
    </div>
  )
}

/** The server's results for the typed text, paged on scroll. */
function useContactSearch(typed: string, enabled: boolean) {
  const [searchParam] = useDebouncedValue(typed.trim(), TYPING_MS)
  const query = useInfiniteQuery({
    ...contactList(searchParam),
    enabled: searchParam.length >= PICKER_MIN && enabled,
    staleTime: 10_000,
  })
  return {
    found: query.data?.pages.flatMap(page => page.rows) ?? [],
    /** It is the answer to what is written. */
    isAnswered: query.isSuccess && searchParam === typed.trim(),
    error: query.error,
    scroller: useLoadOn<HTMLDivElement>(query),
  }
}
