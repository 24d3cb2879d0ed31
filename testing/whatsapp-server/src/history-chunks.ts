import { jidEncode, proto } from 'baileys'
import { jidOf } from './directory.ts'
import { groupJid } from './groups.ts'
import type { PastChat, PastMessage } from './past.ts'
import type { PhoneLine } from './phone-line.ts'

/** Age limit of the recent part; older messages go to a companion that requested everything (`syncFullHistory`). */
const RECENT_DAYS = 90
/** How many messages phones put into one chunk, at most. */
const CHUNK = 5_000

const { HistorySyncType } = proto.HistorySync
const { Status } = proto.WebMessageInfo

/** Whose past it is, and what it makes of an old message. */
export interface Teller {
  line: PhoneLine
  messageOf(message: PastMessage): proto.IMessage | Promise<proto.IMessage>
}

type Pick = (messages: PastMessage[]) => PastMessage[]
type Slice = { chat: PastChat; messages: PastMessage[] }[]

/**
 * A history as a phone transfers it: the last message of each chat, names, the recent part, and then the older one,
 * each chat from its newest message back. Chunks are sequential, and messages occur in more than one of them.
 */
export async function* chunksOf(
  teller: Teller,
  past: PastChat[],
  { wantsAll }: { wantsAll: boolean },
): AsyncGenerator<proto.IHistorySync> {
  const border = Date.now() - RECENT_DAYS * 86_400_000
  const parts: [proto.HistorySync.HistorySyncType, Pick][] = [
    [HistorySyncType.INITIAL_BOOTSTRAP, messages => messages.slice(-1)],
    [HistorySyncType.RECENT, messages => messages.filter(({ at }) => at.getTime() >= border)],
    [HistorySyncType.FULL, messages => messages.filter(({ at }) => at.getTime() < border)],
  ]
  let chunkOrder = 0
  for (const [syncType, pick] of wantsAll ? parts : parts.slice(0, 2)) {
    const slices = slicesOf(past, pick)
    for (const [at, slice] of slices.entries()) {
      chunkOrder += 1
      const progress = Math.floor((100 * (at + 1)) / slices.length)
      const conversations = await Promise.all(
        slice.map(part => conversation(teller, part.chat, part.messages)),
      )
      yield { syncType, chunkOrder, progress, conversations }
    }
    if (syncType === HistorySyncType.INITIAL_BOOTSTRAP)
      yield { syncType: HistorySyncType.PUSH_NAME, pushnames: names(teller.line, past) }
  }
}

function slicesOf(past: PastChat[], pick: Pick): Slice[] {
  const slices: Slice[] = [[]]
  let room = CHUNK
  for (const chat of past) {
    const messages = pick(chat.messages).toReversed()
    for (let at = 0; at < messages.length; ) {
      if (room === 0) {
        slices.push([])
        room = CHUNK
      }
      const part = messages.slice(at, at + room)
      slices.at(-1)!.push({ chat, messages: part })
      at += part.length
      room -= part.length
    }
  }
  return slices
}

/** A chat with some of its messages, as in a history. */
export async function conversation(
  teller: Teller,
  chat: PastChat,
  messages: PastMessage[],
): Promise<proto.IConversation> {
  const { line } = teller
  const group = line.group(chat.with)
  const last = seconds(chat.messages.at(-1)?.at ?? new Date(0))
  const infos: proto.IWebMessageInfo[] = []
  for (const message of messages) infos.push(await historyInfo(teller, chat, message))
  return {
    id: chatJid(line, chat.with),
    name: chat.name ?? group?.subject ?? line.state.directory.account(chat.with)?.name,
    unreadCount: chat.unread ?? 0,
    conversationTimestamp: last,
    lastMsgTimestamp: last,
    ...(group
      ? { participant: group.members.map(member => ({ userJid: jidOf(member, 'lid'), rank: 0 })) }
      : otherJid(line, chat.with)),
    messages: infos.map((message, at) => ({ message, msgOrderId: infos.length - at })),
  }
}

async function historyInfo(
  { line, messageOf }: Teller,
  chat: PastChat,
  message: PastMessage,
): Promise<proto.IWebMessageInfo> {
  const { from, at, id } = message
  const fromMe = from === line.account.number
  const isOthersInGroup = !fromMe && line.group(chat.with) !== undefined
  const participant = isOthersInGroup ? lidJid(line, from) : undefined
  const pushName = line.state.directory.account(from)?.name ?? chat.name
  return {
    key: { remoteJid: chatJid(line, chat.with), fromMe, id, participant },
    participant,
    message: await messageOf(message),
    messageTimestamp: seconds(at),
    ...(fromMe ? { status: Status.READ } : { pushName }),
  }
}

function names(line: PhoneLine, past: PastChat[]): proto.IPushname[] {
  return past.flatMap(chat => {
    const pushname = chat.name ?? line.state.directory.account(chat.with)?.name
    return line.group(chat.with) || !pushname ? [] : [{ id: chatJid(line, chat.with), pushname }]
  })
}

/** How a chat is called in the history. */
export function chatJid(line: PhoneLine, to: string): string {
  const group = line.group(to)
  if (group) return groupJid(group)
  return line.addressing === 'lid' ? lidJid(line, to) : jidEncode(to, 's.whatsapp.net')
}

function otherJid(line: PhoneLine, number: string): proto.IConversation {
  if (line.addressing === 'pn') return { lidJid: lidJid(line, number) }
  return line.state.directory.account(number)?.isHidden ? {} : { pnJid: jidEncode(number, 's.whatsapp.net') }
}

const lidJid = (line: PhoneLine, number: string) => jidEncode(line.state.directory.lidOf(number), 'lid')
const seconds = (at: Date) => Math.floor(at.getTime() / 1000)
