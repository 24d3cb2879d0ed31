import { randomBytes } from 'node:crypto'
import { hmacOf, isSigned, type SigningKeys } from '../../platform/access/signatures.ts'
import { databaseNow } from '../../platform/clock.ts'

/**
 * A signed cookie names the users who logged in on a device. It authenticates nothing; failed logins of a known device are
 * counted separately, so that failures elsewhere do not lock its user out. It is void once the credentials change.
 */
export const DEVICE_COOKIE = 'balcao_device'
export const DEVICE_DAYS = 180
/** Users remembered on one device. */
const MOST = 5

export interface Device {
  userId: number
  /** Milliseconds since 1970. */
  since: number
  name: string
}

/** The devices in a cookie whose signature is valid. */
export function devicesIn(keys: SigningKeys, cookie: string | undefined, now = databaseNow()): Device[] {
  const named = (cookie ?? '').split('~', MOST).flatMap(text => readDevice(keys, text) ?? [])
  return named.filter(({ since }) => now - since < DEVICE_DAYS * 86_400_000)
}

/** The cookie after a login of this user. */
export function cookieWith(keys: SigningKeys, cookie: string | undefined, userId: number): string {
  const devices = devicesIn(keys, cookie)
  const known = devices.find(device => device.userId === userId)
  const name = known?.name ?? randomBytes(12).toString('base64url')
  const others = devices.filter(device => device !== known)
  return [{ userId, since: databaseNow(), name }, ...others]
    .slice(0, MOST)
    .map(device => deviceText(keys, device))
    .join('~')
}

export const deviceOf = (devices: Device[], userId: number, credentialsAt: string): Device | null =>
  devices.find(device => device.userId === userId && device.since >= Date.parse(credentialsAt)) ?? null

const deviceText = (keys: SigningKeys, device: Device) =>
  `${device.userId}.${device.since}.${device.name}.${hmacOf(keys, signedText(device))}`

function readDevice(keys: SigningKeys, text: string): Device | null {
  const [, user, since, name, signed] = FORM.exec(text) ?? []
  if (!user || !since || !name || !signed) return null
  const device = { userId: Number(user), since: Number(since), name }
  return isSigned(keys, signedText(device), signed) ? device : null
}

const FORM = /^([1-9]\d{0,9})\.(\d{13})\.([\w-]{16})\.([\w-]{43})$/

const signedText = ({ userId, since, name }: Device) => `device.${userId}.${since}.${name}`
