import type { Driver } from '../../driver.ts'
import type { SessionSettings } from './settings.ts'
import { createTurnstile } from './turnstile.ts'
import { sweepUploads } from './uploads.ts'

const OPENING_AT_ONCE = 3

/** WhatsApp by way of its multi-device protocol. The library is loaded with the first connection that needs it. */
export function createBaileysDriver(settings: SessionSettings): Driver {
  void sweepUploads()
  const turnstile = createTurnstile(OPENING_AT_ONCE)
  return {
    lib: 'baileys',
    open: async host => (await import('./session.ts')).openBaileysSession(host, settings, turnstile),
  }
}
