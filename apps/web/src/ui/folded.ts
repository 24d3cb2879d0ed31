import { type RefObject, useLayoutEffect, useState } from 'react'
import type { Column } from './table.tsx'

/** Minimum width (px) of a column of each kind: below it, its text wraps too often. */
const LEAST = { text: 104, name: 150, long: 190, number: 72, actions: 90 }

const leastOf = (columns: Column<never>[]) =>
  columns.reduce(
    (sum, { kind = 'text', width }) =>
      sum + (typeof width === 'number' ? Math.max(width, LEAST.number) : LEAST[kind]),
    0,
  )

/** Widths (px) of a table: below the first its cells are closer to each other, below the second a status wraps. */
const TIGHT = 1_020
const NARROW = 870

const roomOf = (width: number) => (width <= NARROW ? 'narrow' : width <= TIGHT ? 'tight' : undefined)

/**
 * The room of a table, and whether it is too little for its columns side by side: by their kinds and their content. Two
 * columns fit on a phone, nine need a desktop.
 *
 * The styles go by attributes, not by container queries: with those, Chromium now and then never draws a table whose
 * rows arrive together with what is above it.
 */
export function useFolded(box: RefObject<HTMLElement | null>, columns: Column<never>[], rows: number) {
  const [needed, setNeeded] = useState(0)
  const [width, setWidth] = useState(Number.POSITIVE_INFINITY)
  const least = leastOf(columns)
  const isFolded = width < Math.max(least, needed)
  useLayoutEffect(() => {
    const element = box.current
    if (!element) return
    // nothing is as wide as 0 where nothing is drawn
    const look = () => setWidth(element.clientWidth || Number.POSITIVE_INFINITY)
    look()
    const observer = new ResizeObserver(look)
    observer.observe(element)
    return () => observer.disconnect()
  }, [box])
  // biome-ignore lint/correctness/useExhaustiveDependencies: other rows are of another width
  useLayoutEffect(() => {
    const element = box.current
    // before its width is known it is drawn as one with much room
    if (!element || isFolded || width === Number.POSITIVE_INFINITY) return
    if (element.scrollWidth > element.clientWidth + 1) setNeeded(element.scrollWidth)
  }, [box, isFolded, width, rows])
  return { isFolded, room: roomOf(width) }
}
