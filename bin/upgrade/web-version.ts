import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { latestWebVersion } from '../../apps/server/src/channels/baileys/session/version.ts'

const WEB = 'wss://web.whatsapp.com/ws/chat'

/** What the installed Baileys claims to be: `2.3000.N`. */
export function bundledWebVersion(folder: string): string {
  const source = readFileSync(join(folder, 'node_modules/baileys/lib/Defaults/index.js'), 'utf8')
  const [, version] = /const version = \[([\d, ]+)\]/.exec(source) ?? []
  return version?.replaceAll(', ', '.') ?? '(unknown)'
}

/** What WhatsApp serves to browsers now; null where it cannot be reached. */
export const currentWebVersion = (): Promise<string | null> =>
  latestWebVersion(WEB).then(
    version => version.join('.'),
    () => null,
  )
