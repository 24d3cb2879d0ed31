import type { BaileysEventMap, WASocket } from 'baileys'
import type { Chat, InboundEvent, KeyRows } from '../../../driver.ts'
import { databaseNow, databaseTime } from '../../../platform/clock.ts'
import { boundedCache } from '../keys/cache.ts'
import { pictureOf } from '../media/sources.ts'
import { chatOf, jidOf } from './addresses.ts'

/** Rows with the last picture of each contact that was reported, and when it was fetched. */
const PICTURE = 'profile-picture'
const FRESH_MS = 24 * 3_600_000
/** WhatsApp restricts numbers that ask for many: these wait for their turn, and the rest for another day. */
const EACH_MS = 2_000
const MOST_WAITING = 200
const ASK_MS = 10_000
const REMEMBERED = 2_000
/** The contact has no picture, or hides it from us. */
const NONE = 404

interface Asked {
  at: number
  /** Identifies the picture: the path of its address, as the rest expires. */
  path: string
}

type Sock = Pick<WASocket, 'profilePictureUrl'>

/** The profile pictures of those who write, as one socket asks for them: rarely, slowly, and never with a message. */
export class Pictures {
  readonly #sock: Sock
  readonly #rows: KeyRows
  readonly #add: (event: InboundEvent) => void
  readonly #recent = boundedCache(REMEMBERED)
  readonly #waiting = new Map<string, { chat: Chat; isChanged: boolean }>()
  #isStopped = false
  #timer: NodeJS.Timeout | undefined
  #lastAsked = 0

  constructor(sock: Sock, rows: KeyRows, add: (event: InboundEvent) => void) {
    this.#sock = sock
    this.#rows = rows
    this.#add = add
  }

  /** A contact wrote: the picture is fetched, unless that was done today. */
  noticed(chat: Chat): void {
    this.#enqueue(chat, false)
  }

  /** A notification: contacts changed or removed their pictures. */
  changed(contacts: BaileysEventMap['contacts.update']): void {
    for (const { id, imgUrl } of contacts) {
      const chat = imgUrl === undefined ? null : chatOf(id)
      if (chat) this.#enqueue(chat, true)
    }
  }

  stop(): void {
    this.#isStopped = true
    clearTimeout(this.#timer)
  }

  #enqueue(chat: Chat, isChanged: boolean) {
    const jid = jidOf(chat)
    const noticedAt = this.#recent.get<number>(jid) as number | undefined
    const isFresh = noticedAt !== undefined && performance.now() - noticedAt < FRESH_MS
    if (this.#isStopped || (isFresh && !isChanged) || this.#waiting.size >= MOST_WAITING) return
    this.#recent.set(jid, performance.now())
    this.#waiting.set(jid, { chat, isChanged })
    this.#timer ??= this.#inTurn()
  }

  #inTurn() {
    return setTimeout(() => this.#next(), Math.max(0, this.#lastAsked + EACH_MS - performance.now())).unref()
  }

  async #next() {
    const [first] = this.#waiting
    if (!first || this.#isStopped) return
    this.#waiting.delete(first[0])
    this.#lastAsked = performance.now()
    await this.#load(first[0], first[1]).catch(() => this.#recent.del(first[0]))
    this.#timer = this.#waiting.size > 0 && !this.#isStopped ? this.#inTurn() : undefined
  }

  async #load(jid: string, { chat, isChanged }: { chat: Chat; isChanged: boolean }) {
    const row = (await this.#rows.read(PICTURE, [jid])).get(jid)
    const before = row ? (JSON.parse(row) as Asked) : null
    if (before && !isChanged && databaseNow() - before.at < FRESH_MS) return
    const url = await this.#sock.profilePictureUrl(jid, 'image', ASK_MS).catch(error => {
      if (error?.data === NONE) return ''
      throw error
    })
    const path = url ? new URL(url).pathname : ''
    if (path !== (before?.path ?? '')) {
      const picture = url ? pictureOf(jid, url) : null
      this.#add({ kind: 'profile', chat, picture, at: databaseTime() })
    }
    await this.#rows.write([
      { type: PICTURE, id: jid, value: JSON.stringify({ at: databaseNow(), path } satisfies Asked) },
    ])
  }
}
