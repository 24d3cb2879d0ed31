import { ECDH } from 'node:crypto'
import {
  MAX_DEVICES,
  type PushDevice,
  type PushSettings,
  type PushSubscriptionInput,
} from '@balcao/contract/push.ts'
import { isReferred, isUniqueViolation, refuse } from '../../platform/errors.ts'
import type { WordingLanguage } from '../../platform/http/wording.ts'
import type { Outbound } from '../../platform/outbound/outbound.ts'
import { type PlatformScope, type Scope, type Tx, viewerOf } from '../../platform/scope.ts'
import { writeTests } from './push.deliveries.queries.ts'
import { deviceAdded, notificationWritten } from './push.events.ts'
import {
  devicesOf,
  dropDevice,
  dropForeign,
  dropOldest,
  lockPushSettings,
  pushDeviceOf,
  putDevice,
  putSettings,
} from './push.queries.ts'
import { deviceNamed } from './push.rules.ts'

interface Client {
  sessionId: string
  userAgent: string
  language: WordingLanguage
}

/**
 * Registers a browser for the viewer, with whose session it ends; whoever had it before is not notified there any more.
 * Refuses with ERR_WEBHOOK_ADDRESS, with ERR_BAD_REQUEST for a key that is none, and with ERR_NO_SESSION.
 */
export async function registerDevice(
  scope: Scope,
  platform: PlatformScope,
  input: PushSubscriptionInput,
  { sessionId, userAgent, language }: Client,
  outbound: Outbound,
): Promise<PushDevice> {
  const { id: userId } = viewerOf(scope)
  if (!isPoint(input.keys.p256dh)) return refuse('ERR_BAD_REQUEST', { field: 'keys.p256dh' })
  if (!(await outbound.mayCall(input.endpoint))) return refuse('ERR_WEBHOOK_ADDRESS', { field: 'endpoint' })
  const put = () =>
    platform.transactionOf(
      scope.companyId,
      sql => dropForeign(sql, input.endpoint, scope.companyId, userId),
      async tx => {
        const device = deviceNamed(userAgent)
        const row = await putDevice(tx, { userId, sessionId, device, language, input })
        await dropOldest(tx, userId, MAX_DEVICES)
        tx.emit(deviceAdded, {})
        return pushDeviceOf(row, sessionId)
      },
    )
  try {
    // another user registered it at the same moment: the later one has it
    return await put().catch(error =>
      isUniqueViolation(error, 'push_subscriptions_endpoint') ? put() : Promise.reject(error),
    )
  } catch (error) {
    if (isReferred(error)) return refuse('ERR_NO_SESSION')
    throw error
  }
}

export const listDevices = (scope: Scope, sessionId: string | null) =>
  scope.read(async tx => ({
    subscriptions: (await devicesOf(tx, viewerOf(scope).id)).map(row => pushDeviceOf(row, sessionId)),
  }))

/** Ends the own device with this address, if there is one. */
export const unsubscribe = (scope: Scope, endpoint: string): Promise<boolean> =>
  scope.transaction(tx => dropDevice(tx, viewerOf(scope).id, { endpoint }))

/** Refuses with ERR_NOT_FOUND. */
export const removeDevice = (scope: Scope, id: number): Promise<void> =>
  scope.transaction(async tx => {
    if (!(await dropDevice(tx, viewerOf(scope).id, { id })))
      refuse('ERR_NOT_FOUND', { field: 'subscriptionId' })
  })

export const setPushSettings = (
  scope: Scope,
  changes: { [Name in keyof PushSettings]?: PushSettings[Name] | undefined },
): Promise<PushSettings> =>
  scope.transaction(async tx => {
    const { id } = viewerOf(scope)
    const settings = { ...(await lockPushSettings(tx, id)), ...given(changes) }
    // one end alone is no time in which it is quiet
    const next = settings.quietFrom === null ? { ...settings, quietTo: null } : settings
    await putSettings(tx, id, next)
    return next
  })

/** Notifies each device of the viewer. Answers to how many. */
export const tryOut = (scope: Scope): Promise<{ devices: number }> =>
  scope.transaction(async (tx: Tx) => {
    const devices = await devicesOf(tx, viewerOf(scope).id)
    if (devices.length > 0) {
      await writeTests(
        tx,
        devices.map(({ id }) => id),
      )
      tx.emit(notificationWritten, {})
    }
    return { devices: devices.length }
  })

const given = (changes: object): Partial<PushSettings> =>
  Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined))

/** Whether a browser can have this public key: a point of the curve P-256. */
function isPoint(p256dh: string): boolean {
  try {
    ECDH.convertKey(p256dh, 'prime256v1', 'base64url')
    return true
  } catch {
    return false
  }
}
