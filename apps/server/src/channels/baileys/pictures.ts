import type { BaileysEventMap, WASocket } from 'baileys'
import type { Chat, Heard, KeyRows } from '../../driver.ts'
import { chatOf, jidOf } from './addresses.ts'
import { boundedCache } from './cache.ts'
import { pictureOf } from './sources.ts'

/** Rows that say which picture of whom was told, and when it was asked for. */
const PICTURE = 'profile-picture'
const FRESH_MS = 24 * 3_600_000
/** WhatsApp restricts numbers that ask for many: these wait for their turn, and the rest for another day. */
const EACH_MS = 2_000
const MOST_WAITING = 200
const ASK_MS = 10_000
const REMEMBERED = 2_000
/** Nobody has hung one up, or not for us to see. */
const NONE = 404

interface Asked {
  at: number
  /** What tells this picture from another: the path of its address, as the rest expires. */
  path: string
}

/** The pictures of those who write, as one socket asks for them: rarely, slowly, and never with a message. */
export interface Pictures {
  /** Somebody wrote: his picture is asked for, unless that was done today. */
  noticed(chat: Chat): void
  /** A notification says that somebody changed or took away his picture. */
  changed(contacts: BaileysEventMap['contacts.update']): void
  stop(): void
}

type Sock = Pick<WASocket, 'profilePictureUrl'>

export function createPictures(sock: Sock, rows: KeyRows, tell: (heard: Heard) => void): Pictures {
  const recent = boundedCache(REMEMBERED)
  const waiting = new Map<string, { chat: Chat; isChanged: boolean }>()
  let isStopped = false
  let timer: NodeJS.Timeout | undefined
  let lastAsked = 0

  function enqueue(chat: Chat, isChanged: boolean) {
    const jid = jidOf(chat)
    const isFresh = Date.now() - ((recent.get<number>(jid) as number | undefined) ?? 0) < FRESH_MS
    if (isStopped || (isFresh && !isChanged) || waiting.size >= MOST_WAITING) return
    recent.set(jid, Date.now())
    waiting.set(jid, { chat, isChanged })
    timer ??= inTurn()
  }

  const inTurn = () => setTimeout(next, Math.max(0, lastAsked + EACH_MS - Date.now())).unref()

  async function next() {
    const [first] = waiting
    if (!first || isStopped) return
    waiting.delete(first[0])
    lastAsked = Date.now()
    await look(first[0], first[1]).catch(() => recent.del(first[0]))
    timer = waiting.size > 0 && !isStopped ? inTurn() : undefined
  }

  async function look(jid: string, { chat, isChanged }: { chat: Chat; isChanged: boolean }) {
    const row = (await rows.read(PICTURE, [jid])).get(jid)
    const before = row ? (JSON.parse(row) as Asked) : null
    if (before && !isChanged && Date.now() - before.at < FRESH_MS) return
    const url = await sock.profilePictureUrl(jid, 'image', ASK_MS).catch(error => {
      if (error?.data === NONE) return ''
      throw error
    })
    const path = url ? new URL(url).pathname : ''
    if (path !== (before?.path ?? '')) {
      const picture = url ? pictureOf(jid, url) : null
      tell({ kind: 'profile', chat, picture, at: new Date().toISOString() })
    }
    await rows.write([
      { type: PICTURE, id: jid, value: JSON.stringify({ at: Date.now(), path } satisfies Asked) },
    ])
  }

  return {
    noticed: chat => enqueue(chat, false),
    changed(contacts) {
      for (const { id, imgUrl } of contacts) {
        const chat = imgUrl === undefined ? null : chatOf(id)
        if (chat) enqueue(chat, true)
      }
    },
    stop() {
      isStopped = true
      clearTimeout(timer)
    },
  }
}
