import type { Driver } from '../../driver.ts'
import { sweepUploads } from './media/uploads.ts'
import type { SessionSettings } from './session/settings.ts'
import { createTurnstile } from './session/turnstile.ts'

const OPENING_AT_ONCE = 3

/** WhatsApp by way of its multi-device protocol. The library is loaded with the first connection that needs it. */
export function createBaileysDriver(settings: SessionSettings): Driver {
  void sweepUploads()
  const turnstile = createTurnstile(OPENING_AT_ONCE)
  return {
    lib: 'baileys',
    open: async host => (await import('./session/open.ts')).openBaileysSession(host, settings, turnstile),
  }
}
