import { useEffect } from 'react'
import { newId } from '../platform/ids.ts'
import { ofPerson } from '../platform/person.ts'
import { store, useStore } from '../platform/store.ts'

interface Announcement {
  id: string
  text: string
}

/** Time a screen reader has to announce it. */
const STAYS_MS = 2_000

const announced = store<readonly Announcement[]>([])

ofPerson(() => announced.write([]))

/**
 * Announced once to screen readers (polite). It follows from an event, not from rendering: a rerender does
 * not repeat it.
 */
export const announce = (text: string) => announced.write([...announced.read(), { id: newId(), text }])

/** Mounted before its messages: a live region that appears with its text is not read. */
export function Announcer() {
  const all = useStore(announced)
  return (
    <div className="sr-only" aria-live="polite" aria-relevant="additions" data-announcer>
      {all.map(one => (
        <Announced key={one.id} {...one} />
      ))}
    </div>
  )
}

function Announced({ id, text }: Announcement) {
  useEffect(() => {
    const timer = setTimeout(() => announced.write(announced.read().filter(one => one.id !== id)), STAYS_MS)
    return () => clearTimeout(timer)
  }, [id])
  return <p>{text}</p>
}
