import type { TicketStatus } from '@balcao/contract/tickets.ts'
import { Button, NativeSelect, TextInput } from '@mantine/core'
import { IconAdjustmentsHorizontal } from '@tabler/icons-react'
import { useEffect, useId, useRef, useState } from 'react'
import { typedAhead } from '../../platform/typed-ahead.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { soon } from '../../ui/soon.tsx'
import { type Asked, filtersIn, nothingAsked } from './asked.ts'
import { useLists } from './lists.ts'
import { usePlace } from './place.ts'
import { TicketListPane } from './ticket-list.tsx'
import classes from './ticket-pane.module.css'
import { useTicketList } from './tickets.api.ts'
import { useFilterText } from './tickets.filters.text.ts'
import { useTicketText } from './tickets.text.ts'
import { useLiving } from './use-living.ts'

const SearchFilters = soon(() => import('./search-filters.tsx'))

/** Looks among all tickets in sight; what is asked goes out with the button, not with each key. */
export default function SearchPanel({ chosen }: { chosen: number }) {
  const [{ asked }, go] = usePlace()
  const { search } = useLists()
  const found = useTicketList(search, asked !== null)
  const ask = (next: Asked) => go({ asked: { ...next, searchParam: next.searchParam.trim() } })
  return (
    <>
      <SearchForm asked={asked} onAsk={ask} busy={asked !== null && found.isPending && !found.failed} />
      <TicketListPane
        key={JSON.stringify(search)}
        which="search"
        of={search}
        chosen={chosen}
        {...found}
        isPending={asked !== null && found.isPending}
        onWiden={asked?.from || asked?.until ? () => ask({ ...asked, from: null, until: null }) : undefined}
      />
    </>
  )
}

interface FormProps {
  asked: Asked | null
  onAsk(asked: Asked): void
  busy: boolean
}

function SearchForm({ asked, onAsk, busy }: FormProps) {
  const t = useTicketText()
  const f = useFilterText()
  const filtersId = useId()
  const [stated, setWanted] = useState<Asked>(asked ?? nothingAsked)
  const wanted = useLiving(stated)
  const [isOpen, setOpen] = useState(false)
  const want = (change: Partial<Asked>) => setWanted(now => ({ ...now, ...change }))
  // what was widened elsewhere is what stands in the form
  useEffect(() => {
    if (asked) setWanted(asked)
  }, [asked])
  const field = useRef<HTMLInputElement>(null)
  // who came by the keyboard, or to look for something, wants to write at once; who came back wants to read on
  useEffect(() => {
    if (typedAhead.isOn()) field.current?.focus()
  }, [])
  const on = filtersIn(wanted)
  return (
    <search className={classes.searchBox}>
      <form
        className={classes.search}
        onSubmit={event => {
          event.preventDefault()
          onAsk(wanted)
        }}
      >
        <TextInput
          ref={field}
          aria-label={t('searchFor')}
          placeholder={t('searchFor')}
          value={wanted.searchParam}
          onFocus={() => {
            const ahead = typedAhead.take()
            setWanted(now => ({ ...now, searchParam: now.searchParam + ahead }))
          }}
          onChange={event => want({ searchParam: event.currentTarget.value })}
        />
        <div className={classes.searchRow}>
          <NativeSelect
            aria-label={t('status')}
            value={wanted.status ?? ''}
            onChange={event => want({ status: (event.currentTarget.value || null) as TicketStatus | null })}
            data={[
              { value: '', label: t('all') },
              { value: 'open', label: t('assigned') },
              { value: 'pending', label: t('pending') },
              { value: 'closed', label: t('closed') },
            ]}
          />
          <IconButton
            label={on > 0 ? f('filtersOn', { count: on }) : f('filters')}
            on={on > 0}
            aria-expanded={isOpen}
            onClick={() => setOpen(!isOpen)}
          >
            <IconAdjustmentsHorizontal size={18} stroke={1.75} />
          </IconButton>
          <Button type="submit" loading={busy}>
            {t('doSearch')}
          </Button>
        </div>
        {isOpen && (
          <section id={filtersId} aria-label={f('filters')} className={classes.filters}>
            <SearchFilters asked={wanted} onChange={want} />
            <Button
              variant="subtle"
              size="xs"
              onClick={() => setWanted({ ...nothingAsked(), searchParam: wanted.searchParam })}
            >
              {f('clear')}
            </Button>
          </section>
        )}
      </form>
    </search>
  )
}
