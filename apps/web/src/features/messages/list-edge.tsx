import { type KeyboardEvent, type PointerEvent, useState } from 'react'
import { texts } from '../../platform/text.ts'
import { LEAST, MOST, type useListWidth, within } from './list-width.ts'
import classes from './tickets-screen.module.css'

const useText = texts({ listWidth: ['Largura da lista', 'Width of the list', 'Ancho de la lista'] })

const USUAL = 380
const STEP = 20

/** Between list and conversation: dragged, moved by arrows, reset by a double click. */
export default function ListEdge({ width, keep }: Pick<ReturnType<typeof useListWidth>, 'width' | 'keep'>) {
  const t = useText()
  const [held, setHeld] = useState<{ from: number; width: number } | null>(null)
  const begin = (event: PointerEvent<HTMLElement>) => {
    event.currentTarget.setPointerCapture?.(event.pointerId)
    const list = event.currentTarget.previousElementSibling?.getBoundingClientRect().width
    setHeld({ from: event.clientX, width: width ?? (list || USUAL) })
  }
  const move = ({ key }: KeyboardEvent) => {
    const by = key === 'ArrowLeft' ? -STEP : key === 'ArrowRight' ? STEP : 0
    if (by !== 0) keep(within((width ?? USUAL) + by))
  }
  return (
    <hr
      className={classes.edge}
      aria-orientation="vertical"
      aria-label={t('listWidth')}
      aria-valuemin={LEAST}
      aria-valuemax={MOST}
      aria-valuenow={width ?? USUAL}
      tabIndex={0}
      data-held={held !== null || undefined}
      onPointerDown={begin}
      onPointerMove={({ clientX }) => held && keep(within(held.width + clientX - held.from))}
      onPointerUp={() => setHeld(null)}
      onPointerCancel={() => setHeld(null)}
      onDoubleClick={() => keep(null)}
      onKeyDown={move}
    />
  )
}
