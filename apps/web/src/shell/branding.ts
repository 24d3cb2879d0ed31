import { companies } from '@balcao/contract/companies.ts'
import { useQuery } from '@tanstack/react-query'
import { call } from '../platform/call.ts'

const unknown = {
  platformName: 'Balcão',
  platformIcon: '',
  primaryColor: '',
  logoFile: '',
  internalChat: false,
  mapsKey: '',
  userCreation: 'enabled',
  demo: false,
} as const

/** Name, colours and switches of this installation, told by the server at run time. */
export function useBranding() {
  const { data } = useQuery({ queryKey: ['branding'], queryFn: () => call(companies.branding) })
  return data ?? unknown
}
