import { may } from '@balcao/contract/permissions.rules.ts'
import { Switch } from '@mantine/core'
import { IconListCheck, IconMessagePlus } from '@tabler/icons-react'
import { useState } from 'react'
import { notify } from '../../platform/notify.tsx'
import { useSession, useUser, useViewer } from '../../platform/session.tsx'
import { keysText, useShortcuts } from '../../platform/shortcuts.ts'
import { useStore } from '../../platform/store.ts'
import { typedAhead } from '../../platform/typed-ahead.ts'
import { useGoTo } from '../../ui/go-to.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { NoticePlace } from '../../ui/notice-place.tsx'
import { Segmented } from '../../ui/segmented.tsx'
import { soon } from '../../ui/soon.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { savePreference } from '../users/users.api.ts'
import type { FetchAhead } from './ahead.ts'
import { neighbour, useLists } from './lists.ts'
import { picked } from './picked.ts'
import { type Sub, type Tab, usePlace } from './place.ts'
import { QueueFilter } from './queue-filter.tsx'
import { ResolveManyButton } from './resolve-many-button.tsx'
import { TicketListPane } from './ticket-list.tsx'
import classes from './ticket-pane.module.css'
import { useTicketList } from './tickets.api.ts'
import { useTicketText } from './tickets.text.ts'

const SearchPanel = soon(() => import('./search-panel.tsx'))
const ViewHead = soon(() => import('./view-head.tsx'))
const NewTicketDialog = soon(() => import('../contacts/new-ticket.dialog.tsx'))

/** On touch devices the search is not focused: the on-screen keyboard would cover the results. */
const touch = window.matchMedia('(pointer: coarse)')

/** Tabs and lists. Both open lists stay mounted while another tab is shown. */
export function TicketPane({ chosen, fetchAhead }: { chosen: number; fetchAhead: FetchAhead }) {
  const t = useTicketText()
  const [{ tab, sub, view }, go] = usePlace()
  const [creating, setCreating] = useState(false)
  const create = () => {
    typedAhead.begin()
    setCreating(true)
  }
  const lists = useLists()
  const held = {
    assigned: useTicketList(lists.assigned),
    pending: useTicketList(lists.pending),
    closed: useTicketList(lists.closed, tab === 'closed'),
  }
  const viewed = useTicketList(lists.ofView ?? lists.assigned)
  const seek = () => {
    const field = document.querySelector<HTMLInputElement>('search input')
    if (field) return field.select()
    if (!touch.matches) typedAhead.begin()
    go({ tab: 'search' })
  }
  usePaneShortcuts({ chosen, show: which => go({ tab: 'open', sub: which, view: undefined }), seek, create })
  const which = tab === 'closed' ? 'closed' : sub
  const of = lists.ofView ?? lists[which]

  return (
    <section className={classes.pane} data-pane="list" tabIndex={-1} aria-label={t('tickets')}>
      <h1 className="sr-only">{t('tickets')}</h1>
      <header className={classes.head}>
        <Segmented<Tab>
          label={t('tickets')}
          value={tab}
          onChange={value => (value === 'search' ? seek() : go({ tab: value }))}
          options={[
            { value: 'open', label: t('open') },
            { value: 'closed', label: t('closed') },
            { value: 'search', label: t('search'), hint: '/' },
          ]}
        />
        <span className={classes.gap} />
        <QueueFilter />
        <IconButton label={t('newTicket')} shortcut="Alt+N" tinted onClick={create}>
          <IconMessagePlus size={19} stroke={1.75} />
        </IconButton>
      </header>
      {tab === 'search' ? (
        <SearchPanel chosen={chosen} fetchAhead={fetchAhead} />
      ) : (
        <>
          <div className={classes.strip}>
            {lists.ofView && view && <ViewHead view={view} count={viewed.list?.count ?? 0} />}
            {tab === 'open' && !lists.ofView && (
              <Tabs<Sub>
                label={t('open')}
                value={sub}
                onChange={value => go({ sub: value })}
                tabs={(['assigned', 'pending'] as const).map(value => ({
                  value,
                  label: t(value),
                  hint: keysText(value === 'assigned' ? 'Alt+A' : 'Alt+S'),
                  count: held[value].list?.count,
                }))}
              />
            )}
            {tab === 'closed' && <span className={classes.closed}>{t('closed')}</span>}
            <span className={classes.gap} />
            <PickButton />
            {tab === 'open' && !lists.ofView && <ResolveManyButton />}
            {!lists.ofView && <ShowAll />}
          </div>
          {of === lists.pending && lists.pending.sort === 'waiting' && (
            <p className={classes.order}>{t('longestFirst')}</p>
          )}
          <TicketListPane
            key={JSON.stringify(of)}
            which={lists.ofView ? 'search' : which}
            of={of}
            chosen={chosen}
            fetchAhead={fetchAhead}
            {...(lists.ofView ? viewed : held[which])}
            onNew={create}
          />
        </>
      )}
      <NoticePlace of="list" />
      {creating && <NewTicketDialog onClose={() => setCreating(false)} />}
    </section>
  )
}

interface Ways {
  chosen: number
  show(which: Sub): void
  seek(): void
  create(): void
}

function usePaneShortcuts({ chosen, show, seek, create }: Ways) {
  const viewer = useViewer()
  const admin = may(viewer, 'tickets:showAll')
  const toggleAll = useToggleAll()
  const goTo = useGoTo()
  const step = (by: 1 | -1) => () => {
    // the address, which is ahead of the screen: a second press may precede the first rendering
    const opened = Number(/\/tickets\/(\d+)/i.exec(window.location.pathname)?.[1] ?? 0)
    const next = neighbour(viewer, opened, by)
    if (next) goTo(`/tickets/${next.id}`, { state: { fromList: opened === 0 } })
  }
  useShortcuts({
    'alt+a': () => show('assigned'),
    'alt+s': () => show('pending'),
    'alt+z': admin && toggleAll,
    'alt+n': chosen === 0 && create,
    'alt+ArrowDown': step(1),
    'alt+ArrowUp': step(-1),
    '/': seek,
  })
}

/** A click on a row chooses it instead of opening it. */
function PickButton() {
  const t = useTicketText()
  const isOn = useStore(picked) !== null
  return (
    <IconButton label={t('pickMany')} on={isOn} onClick={() => picked.write(isOn ? null : new Set())}>
      <IconListCheck size={19} stroke={1.75} />
    </IconButton>
  )
}

/** All users' tickets besides one's own; for admins. */
function ShowAll() {
  const t = useTicketText()
  const { showAllTickets } = useUser()
  const toggleAll = useToggleAll()
  if (!may(useViewer(), 'tickets:showAll')) return null
  return (
    <Switch
      labelPosition="left"
      size="xs"
      label={t('showAll')}
      checked={showAllTickets}
      onChange={toggleAll}
      title={keysText('Alt+Z')}
    />
  )
}

function useToggleAll() {
  const user = useUser()
  const { update } = useSession()
  return () => void savePreference(user, { showAllTickets: !user.showAllTickets }).then(update, notify.failed)
}
