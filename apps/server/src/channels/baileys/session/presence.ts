import type { Typing } from '@balcao/contract/messages.ts'
import type { BaileysEventMap, WASocket } from 'baileys'
import { LRUCache } from 'lru-cache'
import type { Chat, KeyRows, SessionHost } from '../../../driver.ts'
import { chatOf, completeChat, localAddress } from '../inbound/addresses.ts'

/** An attendant who did nothing for so long is not at the counter. */
const AWAY_MS = 180_000
/** So many chats are watched at a time; the one that was longest silent is forgotten. */
const MOST_WATCHED = 50
/** The same news again within this time is none. */
const SAME_MS = 3_000

/** Who writes, on both sides of one socket. */
export interface Presence {
  /** An attendant reads or writes in this chat: from now on the customer's typing is received. */
  attend(chat: Chat): Promise<void>
  /** Shows it to the customer. */
  type(chat: Chat, state: Typing): Promise<void>
  stop(): void
}

interface Deps {
  rows: KeyRows
  typing: SessionHost['typing']
}

/**
 * WhatsApp sends who types only to a client that is online, and keeps the owner's phone quiet while one is. So the
 * session is online while somebody attends, and away soon after.
 */
export function createPresence(sock: WASocket, { rows, typing }: Deps): Presence {
  const watched = new LRUCache<string, true>({ max: MOST_WATCHED })
  const last = new LRUCache<string, { state: Typing; at: number }>({ max: MOST_WATCHED })
  let away: NodeJS.Timeout | undefined
  sock.ev.on('presence.update', intake => void receive(intake).catch(() => {}))

  async function receive({ id, presences }: BaileysEventMap['presence.update']) {
    const chat = chatOf(id)
    const [presence] = Object.values(presences)
    if (!chat || !presence) return
    const state = stateOf(presence.lastKnownPresence)
    const before = last.get(id)
    if (before ? before.state === state && performance.now() - before.at < SAME_MS : state === 'paused')
      return
    if (state === 'paused') last.delete(id)
    else last.set(id, { state, at: performance.now() })
    typing(await completeChat(rows, chat), state)
  }

  async function beThere() {
    const isNew = away === undefined
    clearTimeout(away)
    away = setTimeout(goAway, AWAY_MS)
    away.unref()
    if (isNew) await sock.sendPresenceUpdate('available')
  }

  function goAway() {
    away = undefined
    sock.sendPresenceUpdate('unavailable').catch(() => {})
  }

  async function attend(chat: Chat): Promise<string> {
    const { jid } = await localAddress(rows, chat)
    await beThere()
    const isNew = !watched.get(jid)
    watched.set(jid, true)
    if (isNew && chat.kind !== 'group') await sock.presenceSubscribe(jid)
    return jid
  }

  return {
    attend: async chat => void (await attend(chat)),
    async type(chat, state) {
      await sock.sendPresenceUpdate(state, await attend(chat))
    },
    stop: () => clearTimeout(away),
  }
}

const stateOf = (presence: string): Typing =>
  presence === 'composing' || presence === 'recording' ? presence : 'paused'
