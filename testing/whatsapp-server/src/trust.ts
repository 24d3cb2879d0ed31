import { fileURLToPath } from 'node:url'
import { WA_CERT_DETAILS } from 'baileys'

/** Makes this process's Baileys trust a test server. One root key per process: servers share an authority. */
export function trust(server: { rootPublicKey: Buffer }): void {
  WA_CERT_DETAILS.PUBLIC_KEY = Buffer.from(server.rootPublicKey)
}

/** What another Node process needs to trust the server: arguments to put first, and environment. */
export function trustFor(server: { rootPublicKey: Buffer }): { args: string[]; env: Record<string, string> } {
  return {
    args: ['--import', fileURLToPath(new URL('./trust-root.mjs', import.meta.url))],
    env: { WHATSAPP_ROOT_KEY: server.rootPublicKey.toString('hex') },
  }
}
