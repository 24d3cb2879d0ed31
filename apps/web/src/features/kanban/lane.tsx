import { draggable, dropTargetForElements } from '@atlaskit/pragmatic-drag-and-drop/element/adapter'
import type { TagChoice } from '@balcao/contract/tags.ts'
import type { TicketHit } from '@balcao/contract/tickets.ts'
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { useVirtualizer } from '@tanstack/react-virtual'
import { memo, useEffect, useId, useMemo, useRef, useState } from 'react'
import { whole } from '../../platform/numbers.ts'
import { useChipColors } from '../../theme/ground.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { Card } from './card.tsx'
import classes from './kanban.module.css'
import { useKanbanText } from './kanban.text.ts'
import { type Arrival, useArrival, useFocusKept } from './lane-focus.ts'
import type { LaneStep } from './lane-order.ts'
import type { Spot } from './moved-note.tsx'
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
  onDrop(ticketId: number, from: number | null, to: number | null, at: Spot): void
  /** One place to the left or to the right. */
  onStep(tagId: number, step: LaneStep): void
  /** As `stepsOf`. */
  steps: number
  onSelect(ticketId: number): void
}

/** One lane: its colour, its name, its number of cards; only visible cards are drawn. */
export const Lane = memo(function Lane({ lane, selected, sought, hits, described, steps, ...moves }: Props) {
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
  const { arrival, onArrived, onMove, onDrop, onStep, onSelect } = moves
  const title = useRef<HTMLHeadingElement>(null)
  useLaneDrag(section, title, tagId)
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
      <div className={classes.head}>
        <h2 id={titleId} ref={title} className={classes.title} data-moves={tag !== null || undefined}>
          <span className="one-line" style={{ color: tag ? text : undefined }}>
            {tag?.name ?? t('first')}
          </span>
          <span className={classes.count}>{whole(tickets.length)}</span>
        </h2>
        {tag && steps > 0 && <Steps tag={tag} steps={steps} onStep={onStep} />}
      </div>
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
                  onDrop={onDrop}
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

/** Moves a lane without dragging. */
function Steps({ tag, steps, onStep }: { tag: TagChoice; steps: number; onStep: Props['onStep'] }) {
  const t = useKanbanText()
  return (
    <>
      <IconButton
        small
        label={t('laneLeft', { lane: tag.name })}
        data-step={-1}
        disabled={(steps & 1) === 0}
        onClick={() => onStep(tag.id, -1)}
      >
        <IconChevronLeft size={16} stroke={1.75} />
      </IconButton>
      <IconButton
        small
        label={t('laneRight', { lane: tag.name })}
        data-step={1}
        disabled={(steps & 2) === 0}
        onClick={() => onStep(tag.id, 1)}
      >
        <IconChevronRight size={16} stroke={1.75} />
      </IconButton>
    </>
  )
}

/** A lane is dragged by its title; the first one stays. */
function useLaneDrag(
  section: React.RefObject<HTMLElement | null>,
  title: React.RefObject<HTMLElement | null>,
  lane: number | null,
) {
  useEffect(() => {
    if (lane === null || !section.current || !title.current) return
    return draggable({
      element: section.current,
      dragHandle: title.current,
      getInitialData: () => ({ lane }),
    })
  }, [section, title, lane])
}

/** Whether a card or a lane is dragged over this one. */
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
