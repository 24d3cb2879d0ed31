import { fetchLatestWaWebVersion, type WAVersion } from 'baileys'
import type { Logger } from 'pino'

const ASK_MS = 10_000
const WHATSAPP = /(^|\.)whatsapp\.com$/

/** The version of WhatsApp's web client that the sockets of a session claim to be. */
export interface Version {
  /** Undefined leaves it to Baileys. */
  current(): WAVersion | undefined
  /** The server refused it: asks for the latest one, unless the operator has chosen or the server is no WhatsApp. */
  renew(): Promise<void>
}

export function createVersion(chosen: WAVersion | null, webUrl: string, log: Logger): Version {
  let current = chosen ?? undefined
  return {
    current: () => current,
    async renew() {
      if (chosen || !WHATSAPP.test(new URL(webUrl).hostname)) return
      const { version, isLatest, error } = await fetchLatestWaWebVersion({
        signal: AbortSignal.timeout(ASK_MS),
      })
      if (isLatest) current = version
      log.warn({ version, err: error }, 'WhatsApp refused the version of the client')
    },
  }
}
