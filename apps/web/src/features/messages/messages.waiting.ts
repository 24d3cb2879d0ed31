import type { MessageInput } from '@balcao/contract/messages.input.ts'
import { oldestFirst } from '@balcao/contract/messages.rules.ts'
import type { Message } from '@balcao/contract/messages.ts'
import type { z } from 'zod'
import { ofPerson } from '../../platform/person.ts'
import { stored } from '../../platform/stored.ts'

/** The content of a message as its request carries it; a file is sent beside it. */
export interface Words
  extends Pick<z.input<typeof MessageInput>, 'body' | 'locationId' | 'contactIds' | 'mentions' | 'poll'> {
  /** Time of the draft that it was, if the server has it. */
  draftAt?: number | undefined
  quotedMsg: string | null
  isVoice?: boolean
  isSticker?: boolean
  /** A note: its mentions are users. */
  isPrivate?: boolean
  queueMentions?: number[]
}

/**
 * A message that the server has not accepted yet: kept here, also through a reload, until the server has it.
 */
export interface Waiting {
  id: string
  /** Not shown to another user, nor sent by another user's session. */
  owner: string
  ticketId: number
  /** As shown: version 0; failed when the server refused it. Sent in the order of its position. */
  message: Message
  words: Words
  file: File | null
  /** The position of the newest message that its author knew. */
  since?: number
}

/** What has not arrived by then is waiting for the connection. */
const LONG_MS = 4_000

const rows = stored<Waiting>('balcao', 'waiting', 'id')

let all = new Map<string, Waiting>()
/** Those that the browser has: one that it has no longer was sent or taken back by another tab. */
const inBrowser = new Set<string>()
let last = 2 ** 52

// from the memory, not from the disk
ofPerson(() => {
  all = new Map()
})

/** Those of a ticket in the order in which they were written. */
export const waitingIn = (ticketId: number): Waiting[] =>
  [...all.values()].filter(one => one.ticketId === ticketId).sort((a, b) => oldestFirst(a.message, b.message))

export const waitingTickets = (): number[] => [...new Set([...all.values()].map(one => one.ticketId))]

export const findWaiting = (id: string): Waiting | undefined => all.get(id)

/**
 * Position of a message that the server has not accepted yet: after all accepted ones, in the order of
 * writing.
 */
export function behindAll(): number {
  last = Math.max(last + 1, 2 ** 52 + Date.now())
  return last
}

/**
 * Reads what this user's browser stored; drops another user's from memory, not from storage. False, and
 * nothing changed, where another user has logged in meanwhile.
 */
export async function readWaiting(owner: string, isStill: () => boolean): Promise<boolean> {
  const were = new Set(inBrowser)
  const kept = await rows.all().catch(notKept)
  if (!isStill()) return false
  const mine = (kept ?? []).filter(one => one.owner === owner)
  const known = new Set(mine.map(({ id }) => id))
  const isGone = ({ id }: Waiting) => kept !== undefined && were.has(id) && !known.has(id)
  const here = [...all.values()].filter(one => one.owner === owner && !isGone(one))
  for (const id of known) inBrowser.add(id)
  all = new Map([...mine, ...here].map(one => [one.id, one]))
  return true
}

export function keepWaiting(one: Waiting) {
  all.set(one.id, one)
  void rows.put(one).then(
    () => inBrowser.add(one.id),
    error => {
      notKept(error)
      setTimeout(() => all.has(one.id) && void warn(), LONG_MS)
    },
  )
}

export function dropWaiting(id: string) {
  inBrowser.delete(id)
  if (!all.delete(id)) return
  void rows.remove(id).catch(notKept)
}

let tellArrived: (id: string) => void = () => {}
/** One listener for messages that the server has. */
export const onArrived = (notify: (id: string) => void): void => {
  tellArrived = notify
}

/** The server has it. */
export function arrived(id: string) {
  dropWaiting(id)
  tellArrived(id)
}

const warn = async () => (await import('../../platform/not-stored.ts')).warnNotStored()

/** A browser without storage, or in a private window: it is still sent from memory. */
function notKept(error: unknown) {
  console.warn('the browser keeps no unsent messages', error)
  return undefined
}
