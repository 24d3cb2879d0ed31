import { useEffect, useRef } from 'react'
import { type Store, store } from '../platform/store.ts'

interface Place {
  element: HTMLElement
  rank: number
}

const places = store<readonly Place[]>([])

/** The slot for notices: that of the highest rank, of equals the latest mounted. */
export const noticePlace: Pick<Store<HTMLElement | null>, 'read' | 'follow'> = {
  follow: places.follow,
  read: () =>
    places.read().reduce<Place | null>((best, one) => (best && best.rank > one.rank ? best : one), null)
      ?.element ?? null,
}

const ranks = { page: 0, conversation: 1, list: 2, dialog: 3 }

/**
 * A slot of the screen for notices, without height while there are none: they cover nothing. It is mounted
 * before them, so that screen readers announce them.
 */
export function NoticePlace({ of, className }: { of: keyof typeof ranks; className?: string | undefined }) {
  const ref = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const mine: Place = { element: ref.current!, rank: ranks[of] }
    places.write([...places.read(), mine])
    return () => places.write(places.read().filter(one => one !== mine))
  }, [of])
  return (
    <div ref={ref} className={className} data-notices={of} aria-live="polite" aria-relevant="additions" />
  )
}
