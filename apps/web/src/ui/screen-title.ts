import { useEffect } from 'react'
import { store, useStore } from '../platform/store.ts'

const title = store('')

/** What the screen that is shown is called; '' where the tickets are. */
export const useScreenTitle = (): string => useStore(title)

/** Names the window after a screen while it is mounted. */
export function useNamesWindow(name: string): void {
  useEffect(() => {
    title.write(name)
    return () => title.write('')
  }, [name])
}
