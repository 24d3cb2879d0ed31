import { type Branding, companies } from '@balcao/contract/companies.ts'
import type { User } from '@balcao/contract/users.ts'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { call } from '../platform/call.ts'
import { showZone } from '../platform/time.ts'
import { dressWindow, unbranded } from './brand-window.ts'

const branding = queryOptions({ queryKey: ['branding'], queryFn: () => call(companies.branding) })

/** Name, colours and switches of this installation, configured on the server at run time. */
export const useBranding = (): Branding => useQuery(branding).data ?? unbranded

/**
 * Clocks use the zone of the company, or the installation's. Answers its name; null until known. Set while
 * rendering: what is rendered below already uses it.
 */
export function useClockOf(user: User | null): string | null {
  const { data, isPending } = useQuery(branding)
  const own = user?.company.timeZone
  if (user && !own && isPending) return null
  const zone = (user && (own ?? data?.timeZone)) ?? ''
  showZone(zone)
  return zone
}

/** Gives the window the installation's icon and colour. */
export function useBrandedWindow() {
  const { data } = useQuery(branding)
  useEffect(() => {
    if (data) dressWindow(data)
  }, [data])
}
