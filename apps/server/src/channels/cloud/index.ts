import type { Driver } from '../../driver.ts'
import type { Platform } from '../../platform/app.ts'
import { openInTurn } from '../../platform/work/in-turn.ts'
import { lookForDeliveries } from './deliveries.ts'
import { openCloudSession } from './open.ts'

/** Batches of deliveries that a process records at once. */
const BATCHES = { all: 8, ofOne: 4 }

/** WhatsApp by way of Meta's official API. It receives through the webhook's rows, and sends over HTTP. */
export function createCloudDriver(platform: Platform): Driver {
  const shared = { lookedFor: lookForDeliveries(platform), inTurn: openInTurn(BATCHES) }
  return { lib: 'cloud', open: host => openCloudSession(host, platform, shared) }
}
