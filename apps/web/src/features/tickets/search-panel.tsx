import type { TicketStatus } from '@balcao/contract/tickets.ts'
import { Button, NativeSelect, TextInput } from '@mantine/core'
import { useState } from 'react'
import { TicketListPane } from './ticket-list.tsx'
import classes from './ticket-pane.module.css'
import { stable, useTicketList } from './tickets.api.ts'
import { ticketText } from './tickets.text.ts'

/** Looks among all tickets in sight; what is asked goes out with the button, not with each key. */
export default function SearchPanel({
  chosen,
  queueIds,
  showAll,
}: {
  chosen: number
  queueIds: number[] | undefined
  showAll: boolean
}) {
  const t = ticketText()
  const [text, setText] = useState('')
  const [status, setStatus] = useState<TicketStatus | ''>('')
  const [asked, setAsked] = useState<{ searchParam: string; status: TicketStatus | null } | null>(null)
  const found = useTicketList(
    stable({ search: true, showAll, queueIds, status: null, ...asked }),
    asked !== null,
  )
  return (
    <>
      <form
        className={classes.search}
        onSubmit={event => {
          event.preventDefault()
          setAsked({ searchParam: text.trim(), status: status || null })
        }}
      >
        <TextInput
          aria-label={t('searchFor')}
          placeholder={t('searchFor')}
          value={text}
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
          <Button type="submit">{t('doSearch')}</Button>
        </div>
      </form>
      <TicketListPane
        which="search"
        chosen={chosen}
        {...found}
        isPending={asked !== null && found.isPending}
      />
    </>
  )
}
