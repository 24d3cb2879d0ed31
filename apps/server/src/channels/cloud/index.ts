import type { Driver } from '../../driver.ts'
import { connectionsWithDeliveries } from '../../features/cloud/cloud.queries.ts'
import type { Platform } from '../../platform/app.ts'
import { openInTurn } from '../../platform/work/in-turn.ts'
import { lookFor } from '../looked-for.ts'
import { openCloudSession } from './open.ts'

/** How often (ms) deliveries are looked for: a signal may be lost. */
const LOOK_MS = 1_000
/** Batches of deliveries that a process records at once. */
const BATCHES = { all: 8, ofOne: 4 }

/** WhatsApp by way of Meta's official API. It receives through the webhook's rows, and sends over HTTP. */
export function createCloudDriver(platform: Platform): Driver {
  const lookedFor = lookFor(platform, LOOK_MS, connectionsWithDeliveries)
  const shared = { lookedFor, inTurn: openInTurn(BATCHES) }
  return { lib: 'cloud', open: host => openCloudSession(host, platform, shared) }
}
