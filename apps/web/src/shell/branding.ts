import { type Branding, companies } from '@balcao/contract/companies.ts'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { call } from '../platform/call.ts'
import { brand } from '../theme/brand.ts'

const unknown: Branding = {
  platformName: 'Balcão',
  platformIcon: '',
  primaryColor: '',
  logoFile: '',
  internalChat: false,
  mapsKey: '',
  userCreation: 'enabled',
  demo: false,
  backendUrl: '',
}

const branding = queryOptions({ queryKey: ['branding'], queryFn: () => call(companies.branding) })

/** Name, colours and switches of this installation, told by the server at run time. */
export const useBranding = (): Branding => useQuery(branding).data ?? unknown

/** Gives the window the installation's icon and colour. */
export function useBrandedWindow() {
  const { data } = useQuery(branding)
  useEffect(() => {
    if (!data) return
    if (data.primaryColor) brand(data.primaryColor)
    const icon = document.querySelector<HTMLLinkElement>('#favicon')
    if (icon && data.platformIcon) icon.href = data.platformIcon
  }, [data])
}
