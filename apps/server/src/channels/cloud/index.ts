import type { Driver } from '../../driver.ts'
import type { Platform } from '../../platform/app.ts'
import { openCloudSession } from './session.ts'

/** WhatsApp by way of Meta's official API. What it hears comes through the webhook's rows, what it says over HTTP. */
export const createCloudDriver = (platform: Platform): Driver => ({
  lib: 'cloud',
  open: host => openCloudSession(host, platform),
})
