import { push } from '@balcao/contract/push.ts'
import { call, token } from '../../platform/call.ts'
import { notLonger } from '../../platform/not-longer.ts'
import { claimsOf } from '../../worker/names.ts'
import { devicesChanged, removeDevice } from './push.api.ts'
import { startWorker, workers } from './worker.ts'

/**
 * What this browser can: `ready` it may be asked, `denied` its user blocked notifications, `install` it notifies only as an
 * installed app (iPhone, iPad), `none` it cannot.
 */
export type DeviceState = 'ready' | 'granted' | 'denied' | 'install' | 'none'

export function deviceState(): DeviceState {
  if (!workers() || !('PushManager' in globalThis) || !('Notification' in globalThis))
    return isApple() && !isInstalled() ? 'install' : 'none'
  const { permission } = Notification
  return permission === 'default' ? 'ready' : permission
}

export const isInstalled = () => matchMedia('(display-mode: standalone)').matches

export const isApple = () => /iPhone|iPad/.test(navigator.userAgent)

/** The user who wants notifications here; another who logs in is asked anew. */
const WANTED = 'pushFor'
const isWanted = (userId: number) => localStorage.getItem(WANTED) === String(userId)

/** The session that registered this browser, and its address: registered still, unless its user removed it elsewhere. */
const REGISTERED = 'pushAs'

/** So long (ms) the worker may take to fetch what the app starts with. */
const WORKER_MS = 60_000

/** After a click: asks the browser's user, and registers the device. Answers what the browser allows now; throws ApiError. */
export async function notifyHere(userId: number): Promise<DeviceState> {
  const permission = await Notification.requestPermission()
  if (permission !== 'granted') return deviceState()
  localStorage.setItem(WANTED, String(userId))
  await register()
  return deviceState()
}

/** No notification is shown here from now on, whatever the server has sent. Throws ApiError. */
export async function notifyNotHere(deviceId: number): Promise<void> {
  await endHere()
  await removeDevice(deviceId)
}

/** The device belongs to the session: a new one registers it again. One that its user removed elsewhere stays removed. */
export async function renewDevice(userId: number): Promise<void> {
  if (!isWanted(userId) || deviceState() !== 'granted') return
  try {
    if (await wasRemoved()) await endHere()
    else await register()
  } catch (error) {
    console.warn('the device is not registered for notifications', error)
  }
}

async function wasRemoved(): Promise<boolean> {
  const known = await subscription()
  if (!known || localStorage.getItem(REGISTERED) !== registeredAs(known.endpoint)) return false
  const { subscriptions } = await call(push.devices)
  return !subscriptions.some(({ isThis }) => isThis)
}

async function endHere(): Promise<void> {
  localStorage.removeItem(WANTED)
  await (await subscription())?.unsubscribe()
}

const subscription = async () => (await workers()?.getRegistration())?.pushManager.getSubscription()

/** A new login is another session. */
const registeredAs = (endpoint: string) => `${claimsOf(token.read())?.sid} ${endpoint}`

async function register(): Promise<void> {
  await startWorker()
  // a worker that could not be fetched is never ready
  const { pushManager } = await notLonger(workers()!.ready, WORKER_MS)
  const { publicKey } = await call(push.key)
  const subscribe = () => pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey })
  const made = await subscribe().catch(async error => {
    // made with the key of another installation
    const other = await pushManager.getSubscription()
    if (!other) throw error
    await other.unsubscribe()
    return subscribe()
  })
  const { endpoint = '', expirationTime, keys = {} } = made.toJSON()
  const { p256dh = '', auth = '' } = keys
  await call(push.subscribe, { body: { endpoint, expirationTime, keys: { p256dh, auth } } })
  const [, before] = localStorage.getItem(REGISTERED)?.split(' ') ?? []
  localStorage.setItem(REGISTERED, registeredAs(endpoint))
  // the browser has one address: it would be listed twice, and turned off once
  if (before && before !== endpoint) await call(push.unsubscribe, { body: { endpoint: before } })
  await devicesChanged()
}
