import { event } from '../../platform/events.ts'

/** A notification is due. */
export const notificationWritten = event<Record<never, never>>('push.notificationWritten')

/** A device was registered. */
export const deviceAdded = event<Record<never, never>>('push.deviceAdded')

/** Signals every process, which caches which companies have devices. */
export const DEVICES_TOPIC = 'push:devices'
