import { useLocalStorage } from '@mantine/hooks'
import type { CSSProperties } from 'react'

export const LEAST = 280
export const MOST = 560

export const within = (width: number) => Math.min(MOST, Math.max(LEAST, Math.round(width)))

/** How wide the list is, as this browser keeps it; as the screen has it until it is dragged. */
export function useListWidth() {
  const [kept, keep] = useLocalStorage<number | null>({
    key: 'ticketListWidth',
    defaultValue: null,
    getInitialValueInEffect: false,
  })
  const width = typeof kept === 'number' ? within(kept) : null
  return {
    width,
    keep,
    style: width === null ? undefined : ({ '--list-width': `${width}px` } as CSSProperties),
  }
}
