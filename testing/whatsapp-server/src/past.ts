import { createHash } from 'node:crypto'
import type { Content } from './contents.ts'

/** A chat as it stood before a client was linked. */
export interface PastChat {
  /** The number, with or without a phone, or the id of a group. */
  with: string
  name?: string
  unread?: number
  /** Oldest first. */
  messages: PastMessage[]
}

export interface PastMessage {
  /** A number: the phone's own for what it wrote. */
  from: string
  content: Content
  at: Date
  /** By default derived from the chat and the position in it, equal in every run. */
  id?: string
}

/** The same past with an id on every message. */
export function withIds(past: PastChat[]): PastChat[] {
  return past.map(chat => ({
    ...chat,
    messages: chat.messages.map((message, at) => ({ ...message, id: message.id ?? idAt(chat.with, at) })),
  }))
}

function idAt(chat: string, place: number): string {
  return `3A${createHash('md5').update(`${chat} ${place}`).digest('hex').slice(0, 18).toUpperCase()}`
}

export interface Invention {
  /** The phone whose past it is. */
  of: string
  /** With so many customers, */
  chats: number
  /** of so many messages each, question and answer in turn, */
  messages: number
  /** besides these groups, whose members write in turn, */
  groups?: { id: string; members: { number: string }[] }[]
  /** the last one written then (default: now), and the first so many days before. */
  until?: Date | string
  days?: number
}

/** Thinks up a past: the same one for the same wishes. Numbers of customers begin with 55 31 9. */
export function inventPast(wish: Invention): PastChat[] {
  const { of, chats, groups = [] } = wish
  const customers = Array.from({ length: chats }, (_, at) => {
    const number = `55319${80_000_000 + at}`
    return { ...inventChat(wish, number, [number, of]), name: `Cliente ${at + 1}` }
  })
  const members = groups.map(({ id, members }) =>
    inventChat(
      wish,
      id,
      members.map(({ number }) => number),
    ),
  )
  return [...customers, ...members]
}

function inventChat({ messages, until, days = 365 }: Invention, chat: string, writers: string[]): PastChat {
  const end = new Date(until ?? Date.now()).getTime()
  const step = messages > 1 ? (days * 86_400_000) / (messages - 1) : 0
  return {
    with: chat,
    messages: Array.from({ length: messages }, (_, at) => ({
      from: writers[at % writers.length]!,
      content: `mensagem ${at + 1}`,
      at: new Date(end - (messages - 1 - at) * step),
    })),
  }
}
