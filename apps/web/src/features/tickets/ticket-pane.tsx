import { may } from '@balcao/contract/permissions.rules.ts'
import { Switch } from '@mantine/core'
import { IconMessagePlus } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'
import { notify } from '../../platform/notify.tsx'
import { useSession, useUser, useViewer } from '../../platform/session.tsx'
import { useShortcuts } from '../../platform/shortcuts.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { Segmented } from '../../ui/segmented.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { savePreference } from '../users/users.api.ts'
import { QueueFilter } from './queue-filter.tsx'
import { TicketListPane } from './ticket-list.tsx'
import classes from './ticket-pane.module.css'
import { stable, useTicketList } from './tickets.api.ts'
import { ticketText } from './tickets.text.ts'

const SearchPanel = lazy(() => import('./search-panel.tsx'))
const NewTicketDialog = lazy(() => import('./new-ticket.dialog.tsx'))

type Tab = 'open' | 'closed' | 'search'
type Sub = 'assigned' | 'pending'

/** Tabs and lists. Both open lists stay loaded while the other, or another tab, is looked at. */
export function TicketPane({ chosen }: { chosen: number }) {
  const t = ticketText()
  const viewer = useViewer()
  const { showAllTickets } = useUser()
  const [tab, setTab] = useState<Tab>('open')
  const [sub, setSub] = useState<Sub>('assigned')
  const [queueIds, setQueueIds] = useState<number[] | undefined>()
  const [creating, setCreating] = useState(false)
  const admin = may(viewer, 'tickets:showAll')
  const showAll = admin && showAllTickets
  const toggleAll = useToggleAll()
  const lists = {
    assigned: useTicketList(stable({ status: 'open', showAll, queueIds })),
    pending: useTicketList(stable({ status: 'pending', showAll, queueIds })),
    closed: useTicketList(stable({ status: 'closed', showAll, queueIds }), tab === 'closed'),
  }
  const show = (which: Sub) => {
    setTab('open')
    setSub(which)
  }
  useShortcuts({
    'alt+a': () => show('assigned'),
    'alt+s': () => show('pending'),
    'alt+z': admin && toggleAll,
    'alt+n': chosen === 0 && (() => setCreating(true)),
  })
  const current = tab === 'closed' ? 'closed' : sub

  return (
    <section className={classes.pane} aria-label={t('tickets')}>
      <h1 className="sr-only">{t('tickets')}</h1>
      <header className={classes.head}>
        <Segmented<Tab>
          label={t('tickets')}
          value={tab}
          onChange={setTab}
          options={[
            { value: 'open', label: t('open') },
            { value: 'closed', label: t('closed') },
            { value: 'search', label: t('search') },
          ]}
        />
        <span className={classes.gap} />
        <QueueFilter chosen={queueIds} onChoose={setQueueIds} />
        <IconButton label={t('newTicket')} shortcut="Alt+N" on onClick={() => setCreating(true)}>
          <IconMessagePlus size={19} stroke={1.75} />
        </IconButton>
      </header>
      {tab === 'search' ? (
        <Suspense>
          <SearchPanel chosen={chosen} queueIds={queueIds} showAll={showAll} />
        </Suspense>
      ) : (
        <>
          <div className={classes.strip}>
            {tab === 'open' && (
              <Tabs<Sub>
                label={t('open')}
                value={sub}
                onChange={setSub}
                tabs={[
                  {
                    value: 'assigned',
                    label: t('assigned'),
                    hint: 'Alt+A',
                    count: lists.assigned.list?.count ?? 0,
                  },
                  {
                    value: 'pending',
                    label: t('pending'),
                    hint: 'Alt+S',
                    count: lists.pending.list?.count ?? 0,
                  },
                ]}
              />
            )}
            {tab === 'closed' && <span className={classes.closed}>{t('closed')}</span>}
            <span className={classes.gap} />
            {admin && (
              <Switch
                labelPosition="left"
                size="xs"
                label={t('showAll')}
                checked={showAllTickets}
                onChange={toggleAll}
                title="Alt+Z"
              />
            )}
          </div>
          <TicketListPane
            key={current}
            which={current}
            chosen={chosen}
            {...lists[current]}
            onNew={() => setCreating(true)}
          />
        </>
      )}
      <Suspense>{creating && <NewTicketDialog onClose={() => setCreating(false)} />}</Suspense>
    </section>
  )
}

function useToggleAll() {
  const user = useUser()
  const { update } = useSession()
  return () => void savePreference(user, { showAllTickets: !user.showAllTickets }).then(update, notify.failed)
}
