import type { GroupMetadata, WASocket } from 'baileys'
import { jidOf } from './addresses.ts'

/** Members come and go, and not every change is reported. */
const FRESH_MS = 10 * 60_000

/** What is known of groups; asking the server before each message would get the number restricted. */
export interface Groups {
  metadata(jid: string): Promise<GroupMetadata | undefined>
  /** A group's name; empty when the server does not answer. */
  subject(id: string): Promise<string>
}

export function createGroups(sock: Pick<WASocket, 'groupMetadata' | 'ev'>): Groups {
  const known = new Map<string, { asked: number; metadata: Promise<GroupMetadata | undefined> }>()
  const forget = (jid: string | undefined) => void known.delete(jid ?? '')
  sock.ev.on('groups.update', updates => {
    for (const { id } of updates) forget(id)
  })
  sock.ev.on('group-participants.update', ({ id }) => forget(id))

  async function metadata(jid: string) {
    const kept = known.get(jid)
    if (kept && Date.now() - kept.asked < FRESH_MS) return kept.metadata
    const asked = sock.groupMetadata(jid).catch(() => {
      forget(jid)
      return undefined
    })
    known.set(jid, { asked: Date.now(), metadata: asked })
    return asked
  }

  return {
    metadata,
    subject: async id => (await metadata(jidOf({ kind: 'group', value: id })))?.subject ?? '',
  }
}
