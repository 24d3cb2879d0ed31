import { USUAL_PASSWORD } from '@balcao/contract/accounts.rules.ts'
import type { Branding } from '@balcao/contract/companies.ts'
import { brand } from '../theme/brand.ts'

/** Until the server has answered. */
export const unbranded: Branding = {
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
  drill: false,
  backendUrl: '',
  passwordLength: USUAL_PASSWORD,
  mail: false,
  payments: false,
  marketingUrl: '',
  meta: null,
  productUrl: '',
}

/** Gives the window the installation's icon and colour. */
export function dressWindow({ primaryColour, icon: picture }: Branding) {
  if (primaryColour) brand(primaryColour)
  const icon = document.querySelector<HTMLLinkElement>('#favicon')
  if (!icon || !picture) return
  icon.removeAttribute('type') // that of Balcão's own
  icon.href = picture
}
