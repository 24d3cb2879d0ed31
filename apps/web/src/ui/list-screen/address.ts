import { useEffect } from 'react'
import { useLocation } from 'react-router'

/** What the address keeps under a name; '' for nothing. */
export const inAddress = (name: string): string => new URLSearchParams(location.search).get(name) ?? ''

/**
 * Keeps a value in the address, so that a reload and the history of the browser show it again; '' removes it. The router does
 * not learn of it: its screens would be rendered anew.
 */
export function useKeptInAddress(name: string, value: string | undefined): void {
  const { key } = useLocation()
  // biome-ignore lint/correctness/useExhaustiveDependencies: another address begins without it
  useEffect(() => {
    if (value === undefined || value === inAddress(name)) return
    const query = new URLSearchParams(location.search)
    if (value) query.set(name, value)
    else query.delete(name)
    const search = query.size > 0 ? `?${query}` : ''
    history.replaceState(history.state, '', `${location.pathname}${search}${location.hash}`)
  }, [name, value, key])
}
