import type { Driver } from '../driver.ts'
import type { SessionSettings } from './session.ts'

/** WhatsApp by way of its multi-device protocol. The library is loaded with the first connection that needs it. */
export const createBaileysDriver = (settings: SessionSettings): Driver => ({
  lib: 'baileys',
  open: async door => (await import('./session.ts')).openSession(door, settings),
})
