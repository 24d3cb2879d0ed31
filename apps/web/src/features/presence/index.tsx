import { useEffect } from 'react'
import type { Feature } from '../../platform/features.ts'
import { whenFetched } from '../../platform/query.ts'
import { useUser } from '../../platform/session.tsx'
import { visiting } from '../../platform/visit.ts'

export const presence: Feature = { Always: PresenceAlways }

/** Nothing that is shown first depends on it: its script comes after the first fetches. */
function PresenceAlways() {
  const { id } = useUser()
  useEffect(() => {
    let stop = () => {}
    let isOver = visiting.now() !== null
    void whenFetched()
      .then(() => import('./presence.live.ts'))
      .then(
        ({ followPresence }) => {
          if (!isOver) stop = followPresence(id)
        },
        () => {},
      )
    return () => {
      isOver = true
      stop()
    }
  }, [id])
  return null
}
