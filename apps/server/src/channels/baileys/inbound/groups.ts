import type { GroupMetadata, WASocket } from 'baileys'
import type { Chat } from '../../../driver.ts'
import { chatOf, jidOf } from './addresses.ts'
import { isSamePerson } from './context.ts'

/** Members come and go, and not every change is reported. */
const FRESH_MS = 10 * 60_000

/** The number is no member of the group, or there is none: asked again, the server answers the same. */
const NOT_OURS = 'not ours'
const isRefused = (error: unknown) => [401, 403, 404].includes(Number((error as { data?: unknown })?.data))

type Answer = GroupMetadata | typeof NOT_OURS | undefined

/** What is known of groups; asking the server before each message would get the number restricted. */
export interface Groups {
  metadata(jid: string): Promise<GroupMetadata | undefined>
  /** A group's name; empty when the server does not answer. */
  subject(id: string): Promise<string>
  /** Whether a person is an admin of a group; null when the server does not answer. False in a group that the server does not show. */
  isAdmin(id: string, person: Chat): Promise<boolean | null>
}

export function createGroups(sock: Pick<WASocket, 'groupMetadata' | 'ev'>): Groups {
  const known = new Map<string, { asked: number; metadata: Promise<Answer> }>()
  const forget = (jid: string | undefined) => void known.delete(jid ?? '')
  sock.ev.on('groups.update', updates => {
    for (const { id } of updates) forget(id)
  })
  sock.ev.on('group-participants.update', ({ id }) => forget(id))

  async function ask(jid: string): Promise<Answer> {
    const kept = known.get(jid)
    if (kept && performance.now() - kept.asked < FRESH_MS) return kept.metadata
    const asked = sock.groupMetadata(jid).catch((error: unknown): Answer => {
      forget(jid)
      return isRefused(error) ? NOT_OURS : undefined
    })
    known.set(jid, { asked: performance.now(), metadata: asked })
    return asked
  }

  async function metadata(jid: string) {
    const answer = await ask(jid)
    return answer === NOT_OURS ? undefined : answer
  }

  const jidOfGroup = (id: string) => jidOf({ kind: 'group', value: id })
  return {
    metadata,
    subject: async id => (await metadata(jidOfGroup(id)))?.subject ?? '',
    async isAdmin(id, person) {
      const answer = await ask(jidOfGroup(id))
      if (!answer) return null
      if (answer === NOT_OURS) return false
      return answer.participants.some(({ id: jid, phoneNumber, admin }) => {
        const member = admin ? chatOf(jid, phoneNumber) : null
        return member !== null && isSamePerson(member, person)
      })
    },
  }
}
