import type { Ticket } from '@balcao/contract/tickets.ts'
import { useElementSize, useMergedRef } from '@mantine/hooks'
import { useLayoutEffect, useRef, useState } from 'react'
import { Pill } from '../../../ui/chip.tsx'
import { TagEditor } from '../../tags/tag-editor.tsx'
import classes from './conversation.module.css'

const GAP = 6
/** Width of “+9”. */
const MORE = 20
/** So much of the first tag is enough to read it. */
const READABLE = 64

/** The tags of a ticket as far as there is room, how many more it has, and the way to change them. */
export function TagStrip({ ticket: { tags }, ticket }: { ticket: Ticket }) {
  const { ref: measured, width } = useElementSize()
  const strip = useRef<HTMLElement>(null)
  const ref = useMergedRef(measured, strip)
  const [room, setRoom] = useState(tags.length)
  // biome-ignore lint/correctness/useExhaustiveDependencies: other tags or another width leave room for more or fewer
  useLayoutEffect(() => setRoom(roomIn(strip.current!)), [tags, width])
  const others = tags.slice(room).map(({ name }) => name)
  return (
    <span ref={ref} className={classes.tags}>
      {tags.map((tag, at) => (
        <span
          key={tag.id}
          className={classes.tag}
          data-out={at >= room || undefined}
          data-alone={room === 1 || undefined}
        >
          <Pill label={tag.name} color={tag.color} />
        </span>
      ))}
      {others.length > 0 && (
        <span className={classes.more} title={others.join(', ')}>
          +{others.length}
          <span className="sr-only"> {others.join(', ')}</span>
        </span>
      )}
      <TagEditor ticket={ticket} keys />
    </span>
  )
}

/** How many tags fit beside the button after them; hidden ones keep their width. */
function roomIn(strip: HTMLElement): number {
  const pills = [...strip.querySelectorAll<HTMLElement>(`.${classes.tag}`)]
  if (pills.length === 0) return 0
  let left = strip.clientWidth - (strip.lastElementChild as HTMLElement).offsetWidth
  for (const [at, pill] of pills.entries()) {
    const more = at < pills.length - 1 ? MORE + GAP : 0
    const least = at === 0 ? Math.min(wholeWidth(pill), READABLE) : pill.offsetWidth
    if (left - least - GAP < more) return at
    left -= pill.offsetWidth + GAP
  }
  return pills.length
}

/** Of a tag that may be cut. */
function wholeWidth(pill: HTMLElement): number {
  const label = pill.querySelector('.one-line')!
  return pill.offsetWidth - label.clientWidth + label.scrollWidth
}
