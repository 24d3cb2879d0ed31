import type { TicketStatus } from '@balcao/contract/tickets.ts'
import { Button, NativeSelect, TextInput } from '@mantine/core'
import { IconAdjustmentsHorizontal } from '@tabler/icons-react'
import { useEffect, useEffectEvent, useId, useRef, useState } from 'react'
import { clock, momentAt } from '../../platform/time.ts'
import { typedAhead } from '../../platform/typed-ahead.ts'
import { TYPING_MS } from '../../platform/typing.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { soon } from '../../ui/soon.tsx'
import type { FetchAhead } from './ahead.ts'
import { type Asked, filtersIn, nothingAsked } from './asked.ts'
import { useExistingFilters } from './existing-filters.ts'
import { useLists } from './lists.ts'
import { usePlace } from './place.ts'
import { RecentList } from './recent-list.tsx'
import { recentSearches } from './recent-searches.ts'
import { TicketListPane } from './ticket-list.tsx'
import classes from './ticket-pane.module.css'
import { useTicketList } from './tickets.api.ts'
import { useFilterText } from './tickets.filters.text.ts'
import { useTicketText } from './tickets.text.ts'

const SearchFilters = soon(() => import('./search-filters.tsx'))

/** Searches all visible tickets: text with a debounce, filters with the button. */
export default function SearchPanel({ chosen, fetchAhead }: { chosen: number; fetchAhead: FetchAhead }) {
  const f = useFilterText()
  const [{ asked }, go] = usePlace()
  const { search } = useLists()
  const found = useTicketList(search, asked !== null)
  const ask = (next: Asked) => go({ asked: { ...next, searchParam: next.searchParam.trim() } })
  const words = asked?.searchParam ?? ''
  // biome-ignore lint/correctness/useExhaustiveDependencies: a search is remembered once a result is opened
  useEffect(() => {
    if (chosen > 0) recentSearches.add(words)
  }, [chosen])
  return (
    <>
      <SearchForm asked={asked} onAsk={ask} busy={asked !== null && found.isPending && !found.failed} />
      <TicketListPane
        key={JSON.stringify(search)}
        which="search"
        of={search}
        chosen={chosen}
        fetchAhead={fetchAhead}
        {...found}
        isPending={asked !== null && found.isPending}
        period={
          asked?.from ? f('searchedSince', { day: clock(momentAt(asked.from)).format('L') }) : undefined
        }
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
  const wanted = useExistingFilters(stated)
  const [isOpen, setOpen] = useState(false)
  const want = (change: Partial<Asked>) => setWanted(now => ({ ...now, ...change }))
  // filters widened elsewhere are shown in the form
  useEffect(() => {
    if (asked) setWanted(now => ({ ...asked, searchParam: asWritten(now.searchParam, asked.searchParam) }))
  }, [asked])
  useAskedWhileTyping(wanted, asked, onAsk)
  const field = useRef<HTMLInputElement>(null)
  // opened by keyboard or for a search, the field is focused; on return the list keeps its state
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
          recentSearches.add(wanted.searchParam.trim())
          onAsk(wanted)
        }}
      >
        <TextInput
          ref={field}
          aria-label={t('searchFor')}
          placeholder={t('searchFor')}
          value={wanted.searchParam}
          onFocus={() => {
            const { struck } = typedAhead.take()
            setWanted(now => ({ ...now, searchParam: now.searchParam + struck }))
          }}
          onChange={event => want({ searchParam: event.currentTarget.value })}
        />
        {wanted.searchParam === '' && (
          <RecentList onPick={words => onAsk({ ...wanted, searchParam: words })} />
        )}
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
            tinted={on > 0}
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

/** A trailing blank may precede another term. */
const asWritten = (written: string, asked: string) => (written.trim() === asked ? written : asked)

/** Fewer letters match too much; they are sent with the button only. */
const LEAST = 3

/** Typed text is requested with a debounce. */
function useAskedWhileTyping(wanted: Asked, asked: Asked | null, onAsk: (asked: Asked) => void) {
  const words = wanted.searchParam.trim()
  const isAsked = useEffectEvent(() => words === asked?.searchParam)
  const onPause = useEffectEvent(() => onAsk(wanted))
  useEffect(() => {
    if (words.length < LEAST || isAsked()) return
    const timer = setTimeout(() => onPause(), TYPING_MS)
    return () => clearTimeout(timer)
  }, [words])
}
