import { monitorForElements } from '@atlaskit/pragmatic-drag-and-drop/element/adapter'
import { MOVED_AT_MOST } from '@balcao/contract/kanban.ts'
import type { Ticket } from '@balcao/contract/tickets.ts'
import { Button } from '@mantine/core'
import { IconColumns3 } from '@tabler/icons-react'
import { type RefObject, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { notify } from '../../platform/notify.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Late } from '../../ui/late.tsx'
import { ListFailed } from '../tickets/list-failed.tsx'
import { walkCards } from './card-keys.ts'
import { moveCards } from './kanban.api.ts'
import classes from './kanban.module.css'
import { useKanbanText } from './kanban.text.ts'
import { Lane } from './lane.tsx'
import type { Arrival } from './lane-focus.ts'
import { type LaneStep, stepsOf, useLaneOrder } from './lane-order.ts'
import { MoveDialog } from './move.dialog.tsx'
import { MovedNote, type Spot } from './moved-note.tsx'
import type { useBoard } from './use-board.ts'

type Props = ReturnType<typeof useBoard> & { sought: string | undefined }

/** The lanes side by side. Cards are dragged, or moved from a dialog without a pointer; several at once. */
export function Board({ lanes, list, failed, error, moreFailed, again, more, sought }: Props) {
  const t = useKanbanText()
  const [selected, setSelected] = useState<ReadonlySet<number>>(NONE)
  const [moving, setMoving] = useState<Ticket[] | null>(null)
  const [note, setNote] = useState<{ text: string; at: Spot | null; of: number } | null>(null)
  const [arrival, setArrival] = useState<Arrival | null>(null)
  const all = useMemo(() => new Map(list?.tickets.map(ticket => [ticket.id, ticket])), [list?.tickets])
  const chosen = [...selected].flatMap(id => all.get(id) ?? [])

  async function move(tickets: Ticket[], tagId: number | null, at: Spot | null) {
    const ids = tickets.map(({ id }) => id)
    const first = { ticketId: ids[0]!, byKeys: at === null }
    setMoving(null)
    setSelected(NONE)
    setArrival(first)
    const lane = lanes?.find(({ tag }) => (tag?.id ?? null) === tagId)?.tag?.name ?? t('first')
    if (!(await moveCards(ids, tagId))) return setArrival({ ...first })
    const [one] = tickets
    const text =
      tickets.length === 1
        ? t('wentTo', { name: one!.contact.name, lane })
        : t('wentToMany', { count: tickets.length, lane })
    setNote({ text, at, of: performance.now() })
  }

  const drop = (ticketId: number, to: number | null, at: Spot) =>
    void move(movedWith({ chosen, all }, ticketId), to, at)
  const order = useLaneOrder(lanes, text => setNote({ text, at: null, of: performance.now() }))
  const held = useRef({ chosen, all, drop, order })
  useEffect(() => {
    held.current = { chosen, all, drop, order }
  })
  useDrops(held)
  const onDrop = useCallback((ticketId: number, from: number | null, to: number | null, at: Spot) => {
    if (from !== to) held.current.drop(ticketId, to, at)
  }, [])
  const onStep = useCallback((tagId: number, step: LaneStep) => held.current.order(tagId, null, step), [])
  const onMove = useCallback((ticketId: number) => setMoving(movedWith(held.current, ticketId)), [])
  const onSelect = useCallback(
    (ticketId: number) =>
      setSelected(now => {
        const next = new Set(now)
        if (!next.delete(ticketId)) next.add(ticketId)
        return next
      }),
    [],
  )
  const onArrived = useCallback(() => setArrival(null), [])
  return (
    <>
      {(failed || moreFailed) && <ListFailed error={error} again={failed ? again : () => void more()} />}
      {chosen.length > 0 && (
        <Chosen count={chosen.length} onMove={() => setMoving(chosen)} onClear={() => setSelected(NONE)} />
      )}
      {!lanes && !failed && (
        <Late>
          <p role="status">{t('loading')}</p>
        </Late>
      )}
      <p id={KEYS} className="sr-only">
        {t('keys')}
      </p>
      <section
        // biome-ignore lint/a11y/noRedundantRoles: a horizontally scrolling area is named by its role
        role="region"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region is reached by keyboard
        tabIndex={0}
        aria-label={t('title')}
        className={classes.board}
        data-board
        onKeyDown={event => walkCards(event, onMove)}
      >
        {lanes?.map(lane => (
          <Lane
            key={lane.tag?.id ?? 0}
            lane={lane}
            selected={selected}
            sought={sought}
            hits={list?.hits}
            described={KEYS}
            arrival={arrival}
            onArrived={onArrived}
            onMove={onMove}
            onDrop={onDrop}
            onStep={onStep}
            steps={stepsOf(lanes, lane)}
            onSelect={onSelect}
          />
        ))}
        {lanes?.length === 1 && (
          <div className={classes.noLanes}>
            <Empty icon={<IconColumns3 size={26} />} title={t('noLanes')}>
              {t('noLanesHint')}
            </Empty>
          </div>
        )}
      </section>
      {moving && lanes && (
        <MoveDialog
          tickets={moving}
          lanes={lanes}
          onPick={(tagId, at) => void move(moving, tagId, at)}
          onClose={() => setMoving(null)}
        />
      )}
      <MovedNote note={note} onOver={() => setNote(null)} />
    </>
  )
}

interface Drops {
  drop(ticketId: number, to: number | null, at: Spot): void
  order(tagId: number, to: number | null): void
}

/** Cards and lanes that are dropped on a lane by a pointer. */
function useDrops(held: RefObject<Drops>) {
  useEffect(
    () =>
      monitorForElements({
        onDrop({ source, location }) {
          const target = location.current.dropTargets[0]
          if (!target || target.data.lane === source.data.lane) return
          const to = target.data.lane as number | null
          if (source.data.ticketId === undefined) return held.current.order(Number(source.data.lane), to)
          const { clientX: x, clientY: y } = location.current.input
          held.current.drop(Number(source.data.ticketId), to, { x, y })
        },
      }),
    [held],
  )
}

/** What can be done with the selected cards. */
function Chosen({ count, onMove, onClear }: { count: number; onMove(): void; onClear(): void }) {
  const t = useKanbanText()
  const tooMany = count > MOVED_AT_MOST
  return (
    <div className={classes.chosen} role="toolbar" aria-label={t('moveTo')}>
      <span>{t('selected', { count })}</span>
      <Button
        size="xs"
        onClick={() => (tooMany ? notify.warn(t('tooMany', { count: MOVED_AT_MOST })) : onMove())}
      >
        {t('moveTo')}
      </Button>
      <Button size="xs" variant="subtle" onClick={onClear}>
        {t('clear')}
      </Button>
    </div>
  )
}

const NONE: ReadonlySet<number> = new Set()
const KEYS = 'kanban-keys'

/** A card that is part of the selection moves with all selected ones. */
function movedWith(
  { chosen, all }: { chosen: Ticket[]; all: Map<number, Ticket> },
  ticketId: number,
): Ticket[] {
  const one = all.get(ticketId)
  if (!one) return []
  return chosen.includes(one) ? chosen.slice(0, MOVED_AT_MOST) : [one]
}
