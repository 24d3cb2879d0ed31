import { Button } from '@mantine/core'
import { IconArrowUp } from '@tabler/icons-react'
import { useVirtualizer } from '@tanstack/react-virtual'
import { type RefObject, useEffect, useMemo, useRef } from 'react'
import { Late } from '../../ui/late.tsx'
import { NEAR_END } from '../../ui/list-screen/load-on.ts'
import { soon } from '../../ui/soon.tsx'
import { type FetchAhead, useAhead } from './ahead.ts'
import { useHeldRows } from './held-rows.ts'
import { ListEmpty, type Which } from './list-empty.tsx'
import { ListFailed } from './list-failed.tsx'
import { useListInUse } from './list-in-use.ts'
import { useRoving } from './roving.ts'
import { useSteadyScroll } from './steady-scroll.ts'
import classes from './ticket-list.module.css'
import { GoneRow, TicketRow } from './ticket-row.tsx'
import type { ListState } from './tickets.api.ts'
import type { CachedList, Searched } from './tickets.cache.ts'
import { useFilterText } from './tickets.filters.text.ts'
import { useTicketText } from './tickets.text.ts'

const Picking = soon(() => import('./picking.tsx'))
const RowMenu = soon(() => import('./row-menu.tsx'))

const touch = window.matchMedia('(pointer: coarse)')
const LOCK_MS = 1_000

interface Props extends ListState {
  which: Which
  /** Which list it is: its order, and its scroll position. */
  of: Searched
  chosen: number
  fetchAhead: FetchAhead
  list: CachedList | undefined
  onNew?: () => void
  /** Repeats a search that is limited to a period without the limit. */
  onWiden?: (() => void) | undefined
  /** The period that a search is limited to, shown above a result that ends. */
  period?: string | undefined
}

/** Only visible rows are drawn; more are loaded within 100 px of the end. */
export function TicketListPane(props: Props) {
  const { which, of, chosen, fetchAhead, list, onNew, onWiden, period, ...state } = props
  const t = useTicketText()
  const f = useFilterText()
  const box = useRef<HTMLDivElement>(null)
  const { area, held, release, watch } = useListInUse()
  const height = touch.matches ? 84 : 80
  const ahead = useAhead(list?.tickets ?? NONE, chosen, fetchAhead)
  const { rows, fresh } = useHeldRows(of, list?.tickets ?? NONE, held)
  const key = rows.map(row => row.ticket.id).join()
  const ids = useMemo(() => (key === '' ? [] : key.split(',').map(Number)), [key])
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => box.current,
    estimateSize: () => height,
    getItemKey: at => ids[at]!,
    overscan: 6,
  })
  useSteadyScroll(box, of, { ids, fresh, height, pages: list?.pages ?? 1 })
  useLoadMore(box, list, state.more)
  const roving = useRoving(box, ids, chosen, virtual)
  const hits = useMemo(() => new Map(list?.hits?.map(hit => [hit.ticketId, hit])), [list?.hits])
  const { isPending, failed, error, again } = state
  return (
    <div ref={area} className={classes.frame} {...watch}>
      {failed && <ListFailed error={error} again={again} />}
      <RowMenu box={box} />
      {period && onWiden && rows.length > 0 && !list?.hasMore && (
        <p className={classes.period} role="status">
          <span>{period}</span>
          <Button variant="subtle" size="compact-xs" px={0} onClick={onWiden}>
            {f('widen')}
          </Button>
        </p>
      )}
      {fresh > 0 && (
        <button type="button" className={classes.fresh} onClick={() => toTop(box, release)}>
          <IconArrowUp size={15} stroke={2} aria-hidden />
          {t('fresh', { count: fresh })}
        </button>
      )}
      <div
        ref={box}
        {...ahead}
        className={classes.scroller}
        data-list={which}
        aria-busy={isPending && list !== undefined}
      >
        {isPending && !list && !failed && (
          <Late>
            <Skeletons />
          </Late>
        )}
        {list && rows.length === 0 && !failed && (
          <ListEmpty
            which={of.failed ? 'failed' : of.unread ? 'unread' : of.bot ? 'bot' : which}
            onNew={onNew}
            onWiden={onWiden}
          />
        )}
        <ul
          {...roving}
          className={classes.rows}
          style={{ height: virtual.getTotalSize(), minHeight: `calc(100% + ${fresh * height}px)` }}
          hidden={rows.length === 0}
        >
          {virtual.getVirtualItems().map(({ index, start, size, key: id }) => {
            const { ticket, gone } = rows[index]!
            return (
              <li
                key={id}
                className={classes.place}
                style={{ transform: `translateY(${start}px)`, height: size }}
              >
                {gone ? (
                  <GoneRow ticket={ticket} />
                ) : (
                  <TicketRow
                    ticket={ticket}
                    chosen={ticket.id === chosen}
                    fromList={chosen === 0}
                    sought={of.searchParam}
                    hit={hits.get(ticket.id)}
                  />
                )}
              </li>
            )
          })}
        </ul>
        {state.moreFailed && <ListFailed more again={() => void state.more()} />}
      </div>
      <Picking box={box} ids={ids} />
    </div>
  )
}

const NONE: never[] = []

function toTop(box: RefObject<HTMLDivElement | null>, release: () => void) {
  if (box.current) box.current.scrollTop = 0
  release()
}

function useLoadMore(
  scroller: RefObject<HTMLDivElement | null>,
  list: CachedList | undefined,
  more: () => Promise<void>,
) {
  const last = useRef(0)
  useEffect(() => {
    const box = scroller.current
    if (!box || !list?.hasMore) return
    const look = () => {
      if (
        box.scrollHeight - box.scrollTop - box.clientHeight > NEAR_END ||
        Date.now() - last.current < LOCK_MS
      )
        return
      last.current = Date.now()
      void more()
    }
    look()
    box.addEventListener('scroll', look, { passive: true })
    return () => box.removeEventListener('scroll', look)
  }, [scroller, list, more])
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
