import { laneOf } from '@balcao/contract/kanban.rules.ts'
import type { Ticket } from '@balcao/contract/tickets.ts'
import { Stack } from '@mantine/core'
import type { KeyboardEvent, MouseEvent } from 'react'
import { Dialog } from '../../ui/dialog.tsx'
import classes from './kanban.module.css'
import { useKanbanText } from './kanban.text.ts'
import type { Spot } from './moved-note.tsx'
import type { BoardLane } from './use-board.ts'

interface Props {
  tickets: Ticket[]
  lanes: BoardLane[]
  /** At which point it was picked; null by the keyboard. */
  onPick(tagId: number | null, at: Spot | null): void
  onClose(): void
}

/** Up and down walk through the lanes, as in a menu. */
function walk(event: KeyboardEvent<HTMLElement>) {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  if (!step) return
  event.preventDefault()
  const ways = [...event.currentTarget.querySelectorAll<HTMLElement>('button:not(:disabled)')]
  const at = ways.indexOf(document.activeElement as HTMLElement)
  ways.at((at + step) % ways.length)?.focus()
}

/** Moves cards without dragging. The first lane to choose has the focus. */
export function MoveDialog({ tickets, lanes, onPick, onClose }: Props) {
  const t = useKanbanText()
  const [one, ...others] = tickets
  const ids = new Set(lanes.flatMap(({ tag }) => tag?.id ?? []))
  const here = one && others.length === 0 ? laneOf(one, ids) : undefined
  const pick = (tagId: number | null) => (event: MouseEvent) =>
    onPick(tagId, event.detail > 0 ? { x: event.clientX, y: event.clientY } : null)
  const title =
    others.length > 0
      ? t('moveMany', { count: tickets.length })
      : t('moveOne', { name: one?.contact.name ?? '' })
  const first = lanes.findIndex(({ tag }) => (tag?.id ?? null) !== here)
  return (
    <Dialog title={title} onClose={onClose}>
      <Stack gap={4} onKeyDown={walk}>
        {lanes.map(({ tag }, at) => {
          const tagId = tag?.id ?? null
          return (
            <button
              key={tagId ?? 0}
              type="button"
              className={classes.way}
              disabled={here === tagId}
              data-autofocus={at === first || undefined}
              onClick={pick(tagId)}
            >
              <span className={classes.dot} style={{ background: tag?.color }} aria-hidden />
              {tag?.name ?? t('first')}
              {here === tagId && <span className={classes.here}>{t('here')}</span>}
            </button>
          )
        })}
      </Stack>
    </Dialog>
  )
}
