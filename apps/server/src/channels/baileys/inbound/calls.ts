import { type BinaryNode, getBinaryNodeChild, isJidGroup } from 'baileys'
import type { Chat, InboundEvent, KeyRows } from '../../../driver.ts'
import { databaseNow } from '../../../platform/clock.ts'
import { openQueue } from '../../../platform/work/serial-queue.ts'
import { boundedCache } from '../keys/cache.ts'
import { chatOf } from './addresses.ts'
import { lineFrom } from './text.ts'

/** Rows of calls that ring: a process that comes back must know whether one that ends was answered. */
const RINGING = 'ringing-call'
/** No call rings this long (ms); one whose end was not received was missed. */
const LONGEST_MS = 120_000
const REMEMBERED = 200

type InboundMessage = Extract<InboundEvent, { kind: 'message' }>

interface Ringing {
  chat: Chat
  name: string
  isVideo: boolean
  at: string
}

/** A missed call; `forget` once it is recorded. */
export interface Missed {
  message: InboundMessage
  forget(): Promise<void>
}

/** The calls of one connection. Baileys does not report why a call ended, so they are followed by their stanzas. */
export interface Calls {
  /** Answers the call when this stanza means that it was missed: it rang until its end, or the caller hung up before. */
  follow(stanza: BinaryNode, isOwn: (jid: string) => boolean): Promise<Missed | null>
  /** Calls whose end was not received, because no socket was open. */
  leftovers(): Promise<Missed[]>
}

export function createCalls(rows: KeyRows): Calls {
  const forget = (id: string) => rows.write([{ type: RINGING, id, value: null }])
  const reported = boundedCache(REMEMBERED)
  function missed(id: string, ringing: Ringing): Missed | null {
    if (reported.get(id)) return null
    reported.set(id, true)
    return { message: noteOf(id, ringing), forget: () => forget(id) }
  }
  // An end may come while its beginning is still being written.
  const inTurn = openQueue()

  async function followOne({ attrs, content }: BinaryNode, isOwn: (jid: string) => boolean) {
    const part = Array.isArray(content) ? content[0] : undefined
    const id = part?.attrs['call-id']
    if (!part || !id || id.length > 255) return null
    if (part.tag === 'offer' || part.tag === 'offer_notice') {
      const ringing = isOwn(part.attrs['call-creator'] ?? '') ? null : ringingOf(attrs, part)
      if (ringing) await rows.write([{ type: RINGING, id, value: JSON.stringify(ringing) }])
      return null
    }
    if (!['accept', 'reject', 'terminate'].includes(part.tag)) return null
    const row = (await rows.read(RINGING, [id])).get(id)
    if (!row) return null
    // Its reason is empty or `timeout` when it was not answered, `accepted_elsewhere` and the like otherwise.
    const wasMissed = part.tag === 'terminate' && !/elsewhere/.test(part.attrs.reason ?? '')
    if (wasMissed) return missed(id, JSON.parse(row) as Ringing)
    await forget(id)
    return null
  }

  return {
    follow: (stanza, isOwn) => inTurn(() => followOne(stanza, isOwn)),
    async leftovers() {
      const all = [...(await rows.readAll(RINGING))].map(
        ([id, row]) => [id, JSON.parse(row) as Ringing] as const,
      )
      const over = all.filter(([, { at }]) => Date.parse(at) < databaseNow() - LONGEST_MS)
      return over.flatMap(([id, ringing]) => missed(id, ringing) ?? [])
    },
  }
}

function ringingOf(attrs: BinaryNode['attrs'], offer: BinaryNode): Ringing | null {
  const group = offer.attrs['group-jid']
  const chat = isJidGroup(group) ? chatOf(group) : chatOf(attrs.from, offer.attrs.caller_pn)
  const seconds = Number(attrs.t)
  return (
    chat && {
      chat,
      name: chat.kind === 'group' ? '' : lineFrom(attrs.notify),
      isVideo: getBinaryNodeChild(offer, 'video') !== undefined,
      at: new Date(seconds > 0 && seconds < 1e11 ? seconds * 1_000 : databaseNow()).toISOString(),
    }
  )
}

function noteOf(externalId: string, { chat, name, isVideo, at }: Ringing): InboundMessage {
  const data = { isVideo }
  return { kind: 'message', chat, externalId, fromMe: false, name, body: '', mediaType: 'call_log', data, at }
}
