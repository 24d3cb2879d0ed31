import type { Driver } from '../../driver.ts'
import type { Platform } from '../../platform/app.ts'
import { lookForDeliveries } from './deliveries.ts'
import { openCloudSession } from './open.ts'

/** WhatsApp by way of Meta's official API. It receives through the webhook's rows, and sends over HTTP. */
export function createCloudDriver(platform: Platform): Driver {
  const lookedFor = lookForDeliveries(platform)
  return { lib: 'cloud', open: host => openCloudSession(host, platform, lookedFor) }
}
