import type { ChannelSession, SessionHost } from '../../../driver.ts'
import { openReader } from '../inbound/reading.ts'
import { openJournal } from '../keys/journal.ts'
import { BaileysSession } from './session.ts'
import type { SessionSettings } from './settings.ts'
import type { Turnstile } from './turnstile.ts'
import { openVersion } from './version.ts'

/** Opens a session: it connects, or begins to pair, by itself and comes back whenever the network breaks. */
export async function openBaileysSession(
  host: SessionHost,
  settings: SessionSettings,
  turnstile: Turnstile,
): Promise<ChannelSession> {
  const { webUrl, version: chosen, log } = settings
  const journal = await openJournal(host.keys)
  const reader = await openReader(host, log)
  const version = await openVersion({ chosen, webUrl, rows: host.keys, log })
  const session = new BaileysSession(host, settings, turnstile, { journal, reader, version })
  session.start(await host.restsUntil())
  return session
}
