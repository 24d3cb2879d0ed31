import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

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
export function devicesIn(key: Uint8Array, cookie: string | undefined, now = Date.now()): Device[] {
  const named = (cookie ?? '').split('~', MOST).flatMap(text => readDevice(key, text) ?? [])
  return named.filter(({ since }) => now - since < DEVICE_DAYS * 86_400_000)
}

/** The cookie after a login of this user. */
export function cookieWith(key: Uint8Array, cookie: string | undefined, userId: number): string {
  const devices = devicesIn(key, cookie)
  const known = devices.find(device => device.userId === userId)
  const name = known?.name ?? randomBytes(12).toString('base64url')
  const others = devices.filter(device => device !== known)
  return [{ userId, since: Date.now(), name }, ...others]
    .slice(0, MOST)
    .map(device => deviceText(key, device))
    .join('~')
}

export const deviceOf = (devices: Device[], userId: number, credentialsAt: string): Device | null =>
  devices.find(device => device.userId === userId && device.since >= Date.parse(credentialsAt)) ?? null

const deviceText = (key: Uint8Array, { userId, since, name }: Device) =>
  `${userId}.${since}.${name}.${signature(key, userId, since, name)}`

function readDevice(key: Uint8Array, text: string): Device | null {
  const [, user, since, name, signed] = FORM.exec(text) ?? []
  if (!user || !since || !name || !signed) return null
  const device = { userId: Number(user), since: Number(since), name }
  const wanted = Buffer.from(signature(key, device.userId, device.since, name))
  const given = Buffer.from(signed)
  return given.length === wanted.length && timingSafeEqual(given, wanted) ? device : null
}

const FORM = /^([1-9]\d{0,9})\.(\d{13})\.([\w-]{16})\.([\w-]{43})$/

const signature = (key: Uint8Array, userId: number, since: number, name: string) =>
  createHmac('sha256', key).update(`device.${userId}.${since}.${name}`).digest('base64url')
