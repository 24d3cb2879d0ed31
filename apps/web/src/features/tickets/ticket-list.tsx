import { Button } from '@mantine/core'
import { IconArchive, IconInbox, IconMessageCheck, IconMessagePlus, IconSearch } from '@tabler/icons-react'
import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useRef } from 'react'
import { Empty } from '../../ui/empty.tsx'
import { Late } from '../../ui/late.tsx'
import classes from './ticket-list.module.css'
import { TicketRow } from './ticket-row.tsx'
import type { CachedList } from './tickets.cache.ts'
import { ticketText } from './tickets.text.ts'

type Which = 'assigned' | 'pending' | 'closed' | 'search'

const touch = window.matchMedia('(pointer: coarse)')
const NEAR = 100
const LOCK_MS = 1_000

interface Props {
  which: Which
  chosen: number
  list: CachedList | undefined
  isPending: boolean
  more(): Promise<void>
  onNew?(): void
}

/** Only the rows in sight are drawn; more come within 100 px of the end. */
export function TicketListPane({ which, chosen, list, isPending, more, onNew }: Props) {
  const scroller = useRef<HTMLDivElement>(null)
  const rows = list?.tickets ?? []
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => (touch.matches ? 84 : 80),
    getItemKey: at => rows[at]!.id,
    overscan: 6,
  })
  useLoadMore(scroller, list, more)

  return (
    <div ref={scroller} className={classes.scroller} data-list={which}>
      {isPending && !list && (
        <Late>
          <Skeletons />
        </Late>
      )}
      {list && rows.length === 0 && <Nothing which={which} onNew={onNew} />}
      <ul className={classes.rows} style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map(({ index, start, key, size }) => (
          <li
            key={key}
            className={classes.place}
            style={{ transform: `translateY(${start}px)`, height: size }}
          >
            <TicketRow ticket={rows[index]!} chosen={rows[index]!.id === chosen} />
          </li>
        ))}
      </ul>
    </div>
  )
}

function useLoadMore(
  scroller: React.RefObject<HTMLDivElement | null>,
  list: CachedList | undefined,
  more: () => Promise<void>,
) {
  const last = useRef(0)
  useEffect(() => {
    const box = scroller.current
    if (!box || !list?.hasMore) return
    const look = () => {
      if (box.scrollHeight - box.scrollTop - box.clientHeight > NEAR || Date.now() - last.current < LOCK_MS)
        return
      last.current = Date.now()
      void more()
    }
    look()
    box.addEventListener('scroll', look, { passive: true })
    return () => box.removeEventListener('scroll', look)
  }, [scroller, list, more])
}

const empty = {
  assigned: { icon: IconMessageCheck, title: 'noAssigned', hint: 'noAssignedHint' },
  pending: { icon: IconInbox, title: 'noPending', hint: 'noPendingHint' },
  closed: { icon: IconArchive, title: 'noClosed', hint: null },
  search: { icon: IconSearch, title: 'noFound', hint: 'noFoundHint' },
} as const

function Nothing({ which, onNew }: { which: Which; onNew: (() => void) | undefined }) {
  const t = ticketText()
  const { icon: Icon, title, hint } = empty[which]
  return (
    <Empty
      icon={<Icon size={26} stroke={1.75} />}
      title={t(title)}
      action={
        onNew &&
        which !== 'closed' && (
          <Button variant="default" leftSection={<IconMessagePlus size={16} />} onClick={onNew}>
            {t('newTicket')}
          </Button>
        )
      }
    >
      {hint && t(hint)}
    </Empty>
  )
}

function Skeletons() {
  return (
    <div aria-hidden>
      {[0, 1, 2, 3, 4].map(row => (
        <div key={row} className={classes.skeleton}>
          <span />
          <span />
          <span />
          <span />
        </div>
      ))}
    </div>
  )
}
