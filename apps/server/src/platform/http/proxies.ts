import type { Config } from '../config.ts'
import { inRanges } from '../outbound/addresses.ts'

/**
 * Which addresses of a call's way are proxies in front (Fastify's `trustProxy`): what they wrote into X-Forwarded-* is
 * believed, not what a client wrote before them. `hop` 0 is who is connected here.
 */
export function believed(trusted: Config['trustProxy']) {
  if (trusted === false) return false
  if (typeof trusted === 'number') return (_address: string, hop: number) => hop < trusted
  return inRanges(trusted)
}
