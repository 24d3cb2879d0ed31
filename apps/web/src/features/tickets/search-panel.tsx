import type { TicketStatus } from '@balcao/contract/tickets.ts'
import { Button, NativeSelect, TextInput } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { typedAhead } from '../../platform/typed-ahead.ts'
import { useLists } from './lists.ts'
import { usePlace } from './place.ts'
import { TicketListPane } from './ticket-list.tsx'
import classes from './ticket-pane.module.css'
import { useTicketList } from './tickets.api.ts'
import { useTicketText } from './tickets.text.ts'

/** Looks among all tickets in sight; what is asked goes out with the button, not with each key. */
export default function SearchPanel({ chosen }: { chosen: number }) {
  const t = useTicketText()
  const [{ asked }, go] = usePlace()
  const [text, setText] = useState(asked?.searchParam ?? '')
  const [status, setStatus] = useState<TicketStatus | ''>(asked?.status ?? '')
  const { search } = useLists()
  const found = useTicketList(search, asked !== null)
  const field = useRef<HTMLInputElement>(null)
  // who came by the keyboard, or to look for something, wants to write at once; who came back wants to read on
  useEffect(() => {
    if (typedAhead.isOn()) field.current?.focus()
  }, [])
  return (
    <>
      <search>
        <form
          className={classes.search}
          onSubmit={event => {
            event.preventDefault()
            go({ asked: { searchParam: text.trim(), status: status || null } })
          }}
        >
          <TextInput
            ref={field}
            aria-label={t('searchFor')}
            placeholder={t('searchFor')}
            value={text}
            onFocus={() => setText(written => written + typedAhead.take())}
            onChange={event => setText(event.currentTarget.value)}
          />
          <div className={classes.searchRow}>
            <NativeSelect
              aria-label={t('status')}
              value={status}
              onChange={event => setStatus(event.currentTarget.value as TicketStatus | '')}
              data={[
                { value: '', label: t('all') },
                { value: 'open', label: t('assigned') },
                { value: 'pending', label: t('pending') },
                { value: 'closed', label: t('closed') },
              ]}
            />
            <Button type="submit" loading={asked !== null && found.isPending && !found.failed}>
              {t('doSearch')}
            </Button>
          </div>
        </form>
      </search>
      <TicketListPane
        key={JSON.stringify(search)}
        which="search"
        of={search}
        chosen={chosen}
        {...found}
        isPending={asked !== null && found.isPending}
      />
    </>
  )
}
