import { may, type Viewer } from '@balcao/contract/permissions.rules.ts'
import type { Secrets } from '../../platform/secrets.ts'

interface Codes {
  qrcode: string
  pairingCode: string
}

/** Whoever holds a code can pair a phone with the number: only admins see one. */
export const codesShownTo = <T extends Codes>(viewer: Viewer, secrets: Secrets, sealed: T): T =>
  may(viewer, 'admin') ? opened(viewer.companyId, secrets, sealed) : hidden(sealed)

export function opened<T extends Codes>(companyId: number, secrets: Secrets, sealed: T): T {
  const open = (code: string) => (code ? secrets.open(companyId, code) : '')
  return { ...sealed, qrcode: open(sealed.qrcode), pairingCode: open(sealed.pairingCode) }
}

/** Nor is it everybody's business what the official API is reached with. */
export const hidden = <T extends Codes>(sealed: T): T => ({
  ...sealed,
  qrcode: '',
  pairingCode: '',
  ...('cloud' in sealed && { cloud: null }),
})
