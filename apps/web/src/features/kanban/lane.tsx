import { dropTargetForElements } from '@atlaskit/pragmatic-drag-and-drop/element/adapter'
import type { TicketHit } from '@balcao/contract/tickets.ts'
import { useVirtualizer } from '@tanstack/react-virtual'
import { memo, useEffect, useId, useMemo, useRef, useState } from 'react'
import { whole } from '../../platform/numbers.ts'
import { useChipColors } from '../../theme/ground.ts'
import { Card } from './card.tsx'
import classes from './kanban.module.css'
import { useKanbanText } from './kanban.text.ts'
import { type Arrival, useArrival, useFocusKept } from './lane-focus.ts'
import type { BoardLane } from './use-board.ts'

/** A card and the gap below it. */
const HEIGHT = 96
const GREY = '#7c7c7c'

interface Props {
  lane: BoardLane
  selected: ReadonlySet<number>
  sought: string | undefined
  hits: TicketHit[] | undefined
  described: string
  arrival: Arrival | null
  onArrived(): void
  onMove(ticketId: number): void
  onSelect(ticketId: number): void
}

/** One lane: its colour, its name, its number of cards; only visible cards are drawn. */
export const Lane = memo(function Lane({ lane, selected, sought, hits, described, ...moves }: Props) {
  const t = useKanbanText()
  const titleId = useId()
  const { tag, tickets } = lane
  const tagId = tag?.id ?? null
  const color = tag?.color ?? GREY
  const { text } = useChipColors('pill', color, 'bg-canvas')
  const section = useRef<HTMLElement>(null)
  const box = useRef<HTMLDivElement>(null)
  const isOver = useDropTarget(section, tagId)
  const virtual = useVirtualizer({
    count: tickets.length,
    getScrollElement: () => box.current,
    estimateSize: () => HEIGHT,
    getItemKey: at => tickets[at]!.id,
    overscan: 4,
  })
  const { arrival, onArrived, onMove, onSelect } = moves
  useArrival({ tickets, lane: section, arrival, onArrived, scrollTo: at => virtual.scrollToIndex(at) })
  const focus = useFocusKept(tickets, section)
  const hitOf = useMemo(() => new Map(hits?.map(hit => [hit.ticketId, hit])), [hits])
  return (
    <section
      ref={section}
      tabIndex={-1}
      {...focus}
      className={classes.lane}
      aria-labelledby={titleId}
      data-lane={tagId ?? ''}
      data-over={isOver || undefined}
      style={{ '--lane': color } as Record<string, string>}
    >
      <h2 id={titleId} className={classes.title}>
        <span className="one-line" style={{ color: tag ? text : undefined }}>
          {tag?.name ?? t('first')}
        </span>
        <span className={classes.count}>{whole(tickets.length)}</span>
      </h2>
      <div ref={box} className={classes.cards}>
        {tickets.length === 0 && <p className={classes.none}>{t('empty')}</p>}
        <ul className={classes.list} style={{ height: virtual.getTotalSize() }} hidden={tickets.length === 0}>
          {virtual.getVirtualItems().map(({ index, start, key }) => {
            const ticket = tickets[index]!
            return (
              <li
                key={key}
                className={classes.place}
                style={{ transform: `translateY(${start}px)` }}
                data-at={index}
                aria-describedby={described}
              >
                <Card
                  ticket={ticket}
                  lane={tagId}
                  selected={selected.has(ticket.id)}
                  sought={sought}
                  hit={hitOf.get(ticket.id)}
                  onMove={onMove}
                  onSelect={onSelect}
                />
              </li>
            )
          })}
        </ul>
      </div>
    </section>
  )
})

/** Whether a card of another lane is dragged over this one. */
function useDropTarget(section: React.RefObject<HTMLElement | null>, lane: number | null): boolean {
  const [isOver, setOver] = useState(false)
  useEffect(() => {
    if (!section.current) return
    return dropTargetForElements({
      element: section.current,
      getData: () => ({ lane }),
      onDragEnter: ({ source }) => setOver(source.data.lane !== lane),
      onDragLeave: () => setOver(false),
      onDrop: () => setOver(false),
    })
  }, [section, lane])
  return isOver
}
