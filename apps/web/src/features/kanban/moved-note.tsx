import { useEffect } from 'react'
import classes from './kanban.module.css'
import { useKanbanText } from './kanban.text.ts'

export interface Spot {
  x: number
  y: number
}

/** KANBAN-006. */
const SHOWN_MS = 3_000
/** Distance from the pointer, and width of the note. */
const BESIDE = 14
const WIDTH = 280
const HEIGHT = 48

interface Props {
  /** `of` distinguishes one move from the next. */
  note: { text: string; at: Spot | null; of: number } | null
  onOver(): void
}

/** The result of a move, for three seconds beside the pointer; announced to screen readers. */
export function MovedNote({ note, onOver }: Props) {
  const t = useKanbanText()
  // biome-ignore lint/correctness/useExhaustiveDependencies: each move is shown for its own three seconds
  useEffect(() => {
    if (!note) return
    const timer = setTimeout(onOver, SHOWN_MS)
    return () => clearTimeout(timer)
  }, [note?.of])
  const at = note?.at ?? { x: (window.innerWidth - WIDTH) / 2, y: window.innerHeight / 2 }
  const left = Math.max(8, Math.min(at.x + BESIDE, window.innerWidth - WIDTH))
  const top = Math.min(at.y + BESIDE, window.innerHeight - HEIGHT)
  return (
    <div role="status" className={classes.note} data-shown={note !== null || undefined} style={{ left, top }}>
      {note && (
        <>
          {t('moved')}
          <span className="sr-only">{note.text}</span>
        </>
      )}
    </div>
  )
}
