import { proto, type WAMessage } from 'baileys'
import type { Chat, KeyRows } from '../../../driver.ts'
import { unwrapped } from './content.ts'
import { countFrom } from './text.ts'
import { sayingOf } from './translate.ts'

const { EPHEMERAL_SETTING } = proto.Message.ProtocolMessage.Type
/** The type of the key rows, by chat. */
const TIMERS = 'chat-timer'
/** The longest that phones offer is 90 days. */
const MAX_SECONDS = 31_536_000

interface Timer {
  /** Seconds after which a message disappears; 0 where none does. */
  seconds: number
  /** Time of the message that it was learnt from. */
  at: string
}

/**
 * After how long messages of a chat disappear: each message in such a chat carries it (`contextInfo.expiration`), and so must
 * ours, or the phones show that it will stay. It is turned off by a setting (EPHEMERAL_SETTING) only.
 */
export async function learnTimer(rows: KeyRows, message: WAMessage): Promise<void> {
  const saying = sayingOf(message)
  const seconds = secondsIn(message)
  if (!saying || seconds === null) return
  const { chat, at } = saying
  const known = await timerOf(rows, chat)
  const isSame = (known?.seconds ?? 0) === seconds
  if (isSame || (known && known.at > at)) return
  const value = JSON.stringify({ seconds, at } satisfies Timer)
  await rows.write(idsOf(chat).map(id => ({ type: TIMERS, id, value })))
}

/** Seconds after which a message to this chat disappears; 0 where none does. */
export const expirationIn = async (rows: KeyRows, chat: Chat): Promise<number> =>
  (await timerOf(rows, chat))?.seconds ?? 0

/** The message with the expiration of its chat. */
export function expiring(message: proto.IMessage, seconds: number): proto.IMessage {
  if (seconds === 0) return message
  for (const part of Object.values(message) as (
    | { contextInfo?: proto.IContextInfo | null }
    | string
    | null
  )[])
    if (part && typeof part === 'object') part.contextInfo = { ...part.contextInfo, expiration: seconds }
  return message
}

async function timerOf(rows: KeyRows, chat: Chat): Promise<Timer | undefined> {
  const found = await rows.read(TIMERS, idsOf(chat))
  const timers = [...found.values()].map(value => JSON.parse(value) as Timer)
  return timers.sort((a, b) => (a.at < b.at ? 1 : -1))[0]
}

const idsOf = ({ kind, value, also }: Chat) => [
  `${kind} ${value}`,
  ...(also ? [`${also.kind} ${also.value}`] : []),
]

function secondsIn({ message }: WAMessage): number | null {
  const content = unwrapped(message)
  const setting = content?.protocolMessage
  if (setting?.type === EPHEMERAL_SETTING) return countFrom(setting.ephemeralExpiration ?? 0, MAX_SECONDS)
  for (const part of Object.values(content ?? {}) as ({ contextInfo?: proto.IContextInfo | null } | null)[]) {
    const seconds = countFrom(part?.contextInfo?.expiration, MAX_SECONDS)
    if (seconds) return seconds
  }
  return null
}
