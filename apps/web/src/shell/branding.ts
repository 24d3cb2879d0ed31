import { type Branding, companies } from '@balcao/contract/companies.ts'
import type { User } from '@balcao/contract/users.ts'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { call } from '../platform/call.ts'
import { showZone } from '../platform/time.ts'
import { brand } from '../theme/brand.ts'

const unknown: Branding = {
  platformName: 'Balcão',
  icon: '',
  logoFile: '',
  primaryColour: '',
  internalChatFlag: false,
  hoursToAutoCloseTickets: null,
  mapsKey: '',
  userCreation: 'enabled',
  timeZone: '',
  demo: false,
  backendUrl: '',
  mail: false,
  marketingUrl: '',
  productUrl: '',
}

const branding = queryOptions({ queryKey: ['branding'], queryFn: () => call(companies.branding) })

/** Name, colours and switches of this installation, told by the server at run time. */
export const useBranding = (): Branding => useQuery(branding).data ?? unknown

/**
 * Clocks show the zone of the company, or the installation's. Answers its name; null until it is known. Set while
 * rendering: what is rendered below already shows it.
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
    if (!data) return
    if (data.primaryColour) brand(data.primaryColour)
    const icon = document.querySelector<HTMLLinkElement>('#favicon')
    if (!icon || !data.icon) return
    icon.removeAttribute('type') // that of Balcão's own
    icon.href = data.icon
  }, [data])
}
