import { drafts as calls, type KeptDraft } from '@balcao/contract/drafts.ts'
import type { Message } from '@balcao/contract/messages.ts'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../../platform/call.ts'
import { drafts } from '../../../platform/drafts.ts'
import { notLonger } from '../../../platform/not-longer.ts'
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
/** Versions that the server refused, such as those that are too long: they are not sent again. */
const refused = new Map<number, number>()
/** The message each draft quotes, as saved or received. */
const quotes = new Map<number, string | null>()
/** The version of each draft that the server has. */
const stored = new Map<number, number>()
const SETTLE_MS = 3_000

/** Aborted when another user, or none, is at this page: what is under way of the one before changes nothing. */
let person = new AbortController()

ofPerson(() => {
  person.abort()
  person = new AbortController()
  for (const timer of writing.values()) clearTimeout(timer)
  writing.clear()
  unsaved.clear()
  refused.clear()
  quotes.clear()
  stored.clear()
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
  const { signal } = person
  try {
    const saved = await call(calls.save, { params: { ticketId }, body: { body, quotedId, at }, signal })
    if (signal.aborted) return
    stored.set(ticketId, saved.at)
    takeDraft(saved)
  } catch (error) {
    if (signal.aborted) return
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

/** Whether a quoted message that this browser kept is still that of the draft. */
export function isQuotedStill(ticketId: number, quotedId: string): boolean {
  if (!quotes.has(ticketId)) quotes.set(ticketId, quotedId)
  return quotes.get(ticketId) === quotedId
}

/** Before a logout the drafts are saved; answers the tickets of those that only this browser has. */
export async function settleDrafts(): Promise<number[]> {
  for (const ticketId of [...writing.keys()]) saveNow(ticketId)
  const isHere = (ticketId: number) => stored.get(ticketId) !== drafts.about(ticketId).at
  const saved = saveAll(drafts.all().filter(isHere))
  await notLonger(saved, SETTLE_MS).catch(() => {})
  return drafts.all().filter(isHere)
}

/** Applies a draft of this user from another screen, unless this one is newer or being edited. */
export function takeDraft({ ticketId, body, quotedId, at }: KeptDraft): void {
  if (at <= drafts.about(ticketId).at) return
  if (writing.has(ticketId)) {
    drafts.raise(ticketId, at + 1)
    return
  }
  stored.set(ticketId, at)
  drafts.receive(ticketId, body, at)
  quotes.set(ticketId, quotedId)
  if (quotedId === null) hold(ticketId, { quoted: null })
  else if (threadNow(ticketId)) restoreQuote(ticketId)
}

/** What the server has, and what was written here while it could not be reached. */
export function takeDrafts(known: KeptDraft[]): void {
  const before = new Map(known.map(draft => [draft.ticketId, draft.at]))
  for (const { ticketId, at } of known) stored.set(ticketId, at)
  for (const draft of known) takeDraft(draft)
  const newer = [...new Set([...drafts.all(), ...unsaved])].filter(ticketId => {
    const { at } = drafts.about(ticketId)
    return at > (before.get(ticketId) ?? 0) && at !== refused.get(ticketId)
  })
  void saveAll(newer)
}

/** One after the other: there may be hundreds, after weeks offline. */
async function saveAll(ticketIds: number[]) {
  const { signal } = person
  for (const ticketId of ticketIds) {
    if (signal.aborted) return
    await save(ticketId)
  }
}
