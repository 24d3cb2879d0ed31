import { drafts as calls, type KeptDraft } from '@balcao/contract/drafts.ts'
import type { Message } from '@balcao/contract/messages.ts'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../../platform/call.ts'
import { drafts } from '../../../platform/drafts.ts'
import { ofPerson } from '../../../platform/person.ts'
import { threadNow } from '../messages.api.ts'
import { mayPassLater } from '../sending/queue.ts'
import { held, hold } from './held.ts'

/** So long after the last key it is saved. */
const SAVE_MS = 1_500

/** Tickets in which this user writes at this moment. */
const writing = new Map<number, ReturnType<typeof setTimeout>>()
/** Drafts that could not be saved: retried when the connection is back. */
const unsaved = new Set<number>()
/** Versions that the server refused, such as those of closed tickets: they are not sent again. */
const refused = new Map<number, number>()
/** The message each draft quotes, as saved or received. */
const quotes = new Map<number, string | null>()

ofPerson(() => {
  for (const timer of writing.values()) clearTimeout(timer)
  writing.clear()
  unsaved.clear()
  refused.clear()
  quotes.clear()
})

export const draftOptions = queryOptions({
  queryKey: ['drafts'],
  queryFn: async () => (await call(calls.list)).drafts,
})

/** A draft is saved a moment after the last key, and when the page is left. */
export function followDrafts(): () => void {
  const stop = drafts.follow(soon)
  const left = () => {
    if (document.visibilityState === 'hidden') for (const ticketId of writing.keys()) saveNow(ticketId)
  }
  document.addEventListener('visibilitychange', left)
  return () => {
    stop()
    document.removeEventListener('visibilitychange', left)
  }
}

function soon(ticketId: number) {
  clearTimeout(writing.get(ticketId))
  writing.set(
    ticketId,
    setTimeout(() => saveNow(ticketId), SAVE_MS),
  )
}

/** What is written in a ticket is not waited for any longer. */
export function saveNow(ticketId: number): void {
  if (!writing.has(ticketId)) return
  clearTimeout(writing.get(ticketId))
  writing.delete(ticketId)
  void save(ticketId)
}

async function save(ticketId: number) {
  const body = drafts.read(ticketId)
  const quotedId = held(ticketId).quoted?.id ?? null
  const { at, isShared } = drafts.about(ticketId)
  if (body === '' && quotedId === null && !isShared) return
  drafts.share(ticketId)
  unsaved.delete(ticketId)
  quotes.set(ticketId, quotedId)
  try {
    takeDraft(await call(calls.save, { params: { ticketId }, body: { body, quotedId, at } }))
  } catch (error) {
    // the text stays in this browser
    if (mayPassLater(error)) unsaved.add(ticketId)
    else refused.set(ticketId, at)
  }
}

/**
 * Called before the message is sent: the draft is not saved any more. Answers its time, so that the server
 * clears it; undefined where the server has none.
 */
export function draftLeaves(ticketId: number): number | undefined {
  clearTimeout(writing.get(ticketId))
  writing.delete(ticketId)
  unsaved.delete(ticketId)
  quotes.set(ticketId, null)
  const { at, isShared } = drafts.about(ticketId)
  if (!isShared) return undefined
  drafts.raise(ticketId, at + 1)
  return at
}

/** What is answered to from here on; null ends it. */
export function quote(ticketId: number, quoted: Message | null): void {
  hold(ticketId, { quoted })
  const quotedId = quoted?.id ?? null
  if ((quotes.get(ticketId) ?? null) === quotedId) return
  quotes.set(ticketId, quotedId)
  drafts.touch(ticketId)
}

/**
 * The conversation is loaded: the message that a draft from elsewhere quotes is shown above the field, if it
 * is loaded.
 */
export function restoreQuote(ticketId: number): void {
  const quotedId = quotes.get(ticketId)
  if (!quotedId || held(ticketId).quoted?.id === quotedId) return
  const quoted = threadNow(ticketId)?.messages.find(({ id }) => id === quotedId) ?? null
  quotes.set(ticketId, quoted && quotedId)
  hold(ticketId, { quoted })
}

/** Applies a draft of this user from another screen, unless this one is newer or being edited. */
export function takeDraft({ ticketId, body, quotedId, at }: KeptDraft): void {
  if (at <= drafts.about(ticketId).at) return
  if (writing.has(ticketId)) {
    drafts.raise(ticketId, at + 1)
    return
  }
  drafts.receive(ticketId, body, at)
  quotes.set(ticketId, quotedId)
  if (quotedId === null) hold(ticketId, { quoted: null })
  else if (threadNow(ticketId)) restoreQuote(ticketId)
}

/** What the server has, and what was written here while it could not be reached. */
export function takeDrafts(known: KeptDraft[]): void {
  const before = new Map(known.map(draft => [draft.ticketId, draft.at]))
  for (const draft of known) takeDraft(draft)
  const newer = [...new Set([...drafts.all(), ...unsaved])].filter(ticketId => {
    const { at } = drafts.about(ticketId)
    return at > (before.get(ticketId) ?? 0) && at !== refused.get(ticketId)
  })
  void saveAll(newer)
}

/** One after the other: there may be hundreds, after weeks offline. */
async function saveAll(ticketIds: number[]) {
  for (const ticketId of ticketIds) await save(ticketId)
}
