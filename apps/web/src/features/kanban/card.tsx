import { draggable } from '@atlaskit/pragmatic-drag-and-drop/element/adapter'
import type { Ticket, TicketHit } from '@balcao/contract/tickets.ts'
import { Checkbox } from '@mantine/core'
import { IconDotsVertical } from '@tabler/icons-react'
import { memo, useCallback, useEffect, useRef, useState } from 'react'
import { IconButton } from '../../ui/icon-button.tsx'
import { TicketRow } from '../tickets/ticket-row.tsx'
import classes from './kanban.module.css'
import { useKanbanText } from './kanban.text.ts'
import type { Spot } from './moved-note.tsx'
import { useTouchDrag } from './touch-drag.ts'

interface Props {
  ticket: Ticket
  lane: number | null
  selected: boolean
  sought: string | undefined
  hit: TicketHit | undefined
  onMove(ticketId: number): void
  /** Dropped by a finger on a lane. */
  onDrop(ticketId: number, from: number | null, to: number | null, at: Spot): void
  onSelect(ticketId: number): void
}

/** What a row of the tickets shows, to be dragged; a dialog moves it too. */
export const Card = memo(function Card({ ticket, lane, selected, sought, hit, ...does }: Props) {
  const t = useKanbanText()
  const card = useRef<HTMLElement>(null)
  const { onMove, onDrop, onSelect } = does
  const [isDragged, setDragged] = useState(false)
  const { id, uuid } = ticket
  const { name } = ticket.contact
  useEffect(() => {
    if (!card.current) return
    return draggable({
      element: card.current,
      getInitialData: () => ({ ticketId: id, lane }),
      onDragStart: () => setDragged(true),
      onDrop: () => setDragged(false),
    })
  }, [id, lane])
  const drop = useCallback((to: number | null, at: Spot) => onDrop(id, lane, to, at), [id, lane, onDrop])
  useTouchDrag(card, { pick: setDragged, drop })
  return (
    <article
      ref={card}
      className={classes.card}
      aria-label={name}
      data-dragged={isDragged || undefined}
      data-selected={selected || undefined}
    >
      <Checkbox
        size="md"
        className={classes.select}
        aria-label={t('select', { name })}
        checked={selected}
        onChange={() => onSelect(id)}
      />
      <div className={classes.row}>
        <TicketRow
          ticket={ticket}
          chosen={false}
          fromList={false}
          sought={sought}
          hit={hit}
          address={`/tickets/${uuid}`}
        />
      </div>
      <IconButton small label={t('moveOne', { name })} aria-haspopup="dialog" onClick={() => onMove(id)}>
        <IconDotsVertical size={18} stroke={1.75} />
      </IconButton>
    </article>
  )
})
