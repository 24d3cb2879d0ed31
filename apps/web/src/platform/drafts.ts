import { store, useStore } from './store.ts'

const PREFIX = 'draft:'
/** Stored beside each draft: when it was last changed, and whether the server may have it. */
const ABOUT = ':about'
/** The note that is begun besides, and that the composer writes notes: of this browser only. */
const NOTE = ':note'
const FACE = ':face'
/** Empty ones are remembered this long: late saves of other devices are recognised as old. */
const REMEMBERED_MS = 30 * 24 * 3_600_000
/** The texts themselves are in the browser's storage: this counts their changes. */
const changes = store(0)
/** Owner of unsent texts: not shown to another user of this browser. */
export const ownerOf = ({ companyId, id }: { companyId: number; id: number }) => `${companyId}.${id}`
/** Owner of these drafts, empty while no user is logged in. */
let owner = ''
/** Called for what is written here, not for drafts received from elsewhere. */
let onWritten: (ticketId: number) => void = () => {}

const changed = () => changes.write(changes.read() + 1)
const keys = () => Object.keys(localStorage).filter(key => key.startsWith(PREFIX))
const drop = (all: string[]) => {
  for (const key of all) localStorage.removeItem(key)
}

let isBegun = false

function begin() {
  isBegun = true
  window.addEventListener('storage', event => {
    if (event.key === null || event.key.startsWith(PREFIX)) changed()
  })
  // kept without an owner by an earlier version: not readable by any user
  drop(keys().filter(key => /^draft:\d+$/.test(key)))
  const old = Date.now() - REMEMBERED_MS
  drop(keys().filter(key => key.endsWith(ABOUT) && aboutAt(key).at < old))
}

const keyOf = (ticketId: number) => `${PREFIX}${owner}:${ticketId}`

interface About {
  at: number
  isShared: boolean
}

const aboutAt = (key: string): About =>
  JSON.parse(localStorage.getItem(key) ?? '{"at":0,"isShared":false}') as About
const about = (ticketId: number): About => aboutAt(keyOf(ticketId) + ABOUT)
const note = (ticketId: number, change: Partial<About>) =>
  localStorage.setItem(keyOf(ticketId) + ABOUT, JSON.stringify({ ...about(ticketId), ...change }))

function put(ticketId: number, body: string) {
  if (body.trim() === '') localStorage.removeItem(keyOf(ticketId))
  else localStorage.setItem(keyOf(ticketId), body)
}

/**
 * Unsent text of a ticket, kept in this browser. Dropped before it is sent, so that a sent text never comes
 * back.
 */
export const drafts = {
  /** From here on only the drafts of this user are read and kept. */
  belongTo(user: { id: number; companyId: number } | null | undefined) {
    if (!isBegun) begin()
    const next = user ? ownerOf(user) : ''
    if (next === owner) return
    owner = next
    changed()
  },
  /** One listener; called until the answered function is called. */
  follow(written: (ticketId: number) => void): () => void {
    onWritten = written
    return () => {
      onWritten = () => {}
    }
  },
  read: (ticketId: number) => (owner && localStorage.getItem(keyOf(ticketId))) || '',
  about,
  note: (ticketId: number) => (owner && localStorage.getItem(keyOf(ticketId) + NOTE)) || '',
  keepNote(ticketId: number, body: string) {
    if (body.trim() === '') localStorage.removeItem(keyOf(ticketId) + NOTE)
    else localStorage.setItem(keyOf(ticketId) + NOTE, body)
    changed()
  },
  /** Whether the composer of a ticket writes notes: what is typed there is never an answer. */
  writesNotes: (ticketId: number) => owner !== '' && localStorage.getItem(keyOf(ticketId) + FACE) !== null,
  turn(ticketId: number, toNotes: boolean) {
    if (toNotes) localStorage.setItem(keyOf(ticketId) + FACE, NOTE)
    else localStorage.removeItem(keyOf(ticketId) + FACE)
    changed()
  },
  /** Tickets in which a note is begun. */
  allNotes: (): number[] =>
    keys().flatMap(key => {
      const ticketId = Number(key.slice(`${PREFIX}${owner}:`.length, -NOTE.length))
      return owner !== '' && key === keyOf(ticketId) + NOTE ? ticketId : []
    }),
  keep(ticketId: number, body: string) {
    put(ticketId, body)
    drafts.touch(ticketId)
    changed()
  },
  /** Counts as a change, even with the same text. */
  touch(ticketId: number) {
    note(ticketId, { at: Math.max(Date.now(), about(ticketId).at + 1) })
    onWritten(ticketId)
  },
  /** A draft received from another screen. */
  receive(ticketId: number, body: string, at: number) {
    put(ticketId, body)
    note(ticketId, { at, isShared: true })
    changed()
  },
  /** The server may have it from now on. */
  share: (ticketId: number) => note(ticketId, { isShared: true }),
  /** What is written here from now on is newer than that. */
  raise: (ticketId: number, at: number) => note(ticketId, { at: Math.max(at, about(ticketId).at) }),
  drop(ticketId: number) {
    localStorage.removeItem(keyOf(ticketId))
    if (about(ticketId).at > 0) note(ticketId, { isShared: false })
    changed()
  },
  /** Tickets in which something is written. */
  all: (): number[] =>
    keys().flatMap(key => {
      const ticketId = Number(key.slice(`${PREFIX}${owner}:`.length))
      return owner !== '' && key === keyOf(ticketId) ? ticketId : []
    }),
  /** Logout leaves no drafts for the next user of this browser. */
  dropAll() {
    drop(keys().filter(key => key.startsWith(`${PREFIX}${owner}:`)))
    changed()
  },
}

export const useNote = (ticketId: number): string => useStore(changes, () => drafts.note(ticketId))
export const useWritesNotes = (ticketId: number): boolean =>
  useStore(changes, () => drafts.writesNotes(ticketId))
export const useDraft = (ticketId: number): string => useStore(changes, () => drafts.read(ticketId))
