import { type PushSettings, push } from '@balcao/contract/push.ts'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../platform/call.ts'
import { queryClient } from '../../platform/query.ts'

const PUSH = ['push']

export const pushSettings = queryOptions({
  queryKey: [...PUSH, 'settings'],
  queryFn: () => call(push.settings),
})

/** The devices that notify the user, the newest first. */
export const pushDevices = queryOptions({
  queryKey: [...PUSH, 'devices'],
  queryFn: async () => (await call(push.devices)).subscriptions,
})

export async function changePushSettings(body: Partial<PushSettings>): Promise<void> {
  queryClient.setQueryData(pushSettings.queryKey, await call(push.changeSettings, { body }))
}

export const devicesChanged = () => queryClient.invalidateQueries({ queryKey: pushDevices.queryKey })

export async function removeDevice(subscriptionId: number): Promise<void> {
  await call(push.removeDevice, { params: { subscriptionId } })
  await devicesChanged()
}

/** To how many devices. */
export const tryNotification = async (): Promise<number> => (await call(push.test)).devices
