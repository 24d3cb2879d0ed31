import tls from 'node:tls'
import { fileURLToPath } from 'node:url'
import { WA_CERT_DETAILS } from 'baileys'

/** What a process needs to treat a test server as WhatsApp. */
export interface Trusted {
  rootPublicKey: Uint8Array
  /** Left out where no files are sent. */
  media?: { host: string; certificate: string }
}

/**
 * Makes this process treat a test server as WhatsApp: its Noise certificate, and its media host beside the system's
 * trusted roots. One root key per process: servers of one process share an authority.
 */
export function trust({ rootPublicKey, media }: Trusted): void {
  WA_CERT_DETAILS.PUBLIC_KEY = Buffer.from(rootPublicKey)
  if (!media) return
  const known = tls.getCACertificates('default')
  if (!known.includes(media.certificate)) tls.setDefaultCACertificates([...known, media.certificate])
  leadDefaultHostTo(media.host)
}

/** What another Node process needs to trust the server: arguments to put first, and environment. */
export function trustFor({ rootPublicKey, media }: Trusted): { args: string[]; env: Record<string, string> } {
  return {
    args: ['--import', fileURLToPath(new URL('./trust-root.mjs', import.meta.url))],
    env: {
      WHATSAPP_ROOT_KEY: Buffer.from(rootPublicKey).toString('hex'),
      ...(media && { WHATSAPP_MEDIA_HOST: media.host, WHATSAPP_MEDIA_CERTIFICATE: media.certificate }),
    },
  }
}

/** Where Baileys downloads what comes without a host: the chunks of a history. */
const DEFAULT_HOST = 'https://mmg.whatsapp.net/'
let ledTo: string | undefined

function leadDefaultHostTo(host: string): void {
  const isLed = ledTo !== undefined
  ledTo = host
  if (isLed) return
  const fetchAnywhere = globalThis.fetch
  globalThis.fetch = (input, init) => {
    const isDefault = typeof input === 'string' && input.startsWith(DEFAULT_HOST)
    return fetchAnywhere(isDefault ? input.replace(DEFAULT_HOST, `https://${ledTo}/`) : input, init)
  }
}
