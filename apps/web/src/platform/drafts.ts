import { store, useStore } from './store.ts'

const PREFIX = 'draft:'
/** The words themselves stand in the browser's storage: this counts their changes. */
const changes = store(0)
/** Whose unsent words: nobody else at this browser sees them. */
export const ownerOf = ({ companyId, id }: { companyId: number; id: number }) => `${companyId}.${id}`
/** Whose drafts these are, empty while nobody is logged in. */
let owner = ''

const tell = () => changes.write(changes.read() + 1)
const keys = () => Object.keys(localStorage).filter(key => key.startsWith(PREFIX))
const drop = (all: string[]) => {
  for (const key of all) localStorage.removeItem(key)
}

let isBegun = false

function begin() {
  isBegun = true
  window.addEventListener('storage', event => {
    if (event.key === null || event.key.startsWith(PREFIX)) tell()
  })
  // kept without an owner by an earlier version: nobody's, so nobody may read them
  drop(keys().filter(key => /^draft:\d+$/.test(key)))
}

const keyOf = (ticketId: number) => `${PREFIX}${owner}:${ticketId}`

/** Unsent words of a ticket, kept in this browser. What was sent never comes back: it is dropped before it leaves. */
export const drafts = {
  /** From here on the drafts of this person are read and kept; nobody else's are seen. */
  belongTo(user: { id: number; companyId: number } | null | undefined) {
    if (!isBegun) begin()
    const next = user ? ownerOf(user) : ''
    if (next === owner) return
    owner = next
    tell()
  },
  read: (ticketId: number) => (owner && localStorage.getItem(keyOf(ticketId))) || '',
  keep(ticketId: number, body: string) {
    if (body.trim() === '') localStorage.removeItem(keyOf(ticketId))
    else localStorage.setItem(keyOf(ticketId), body)
    tell()
  },
  drop(ticketId: number) {
    localStorage.removeItem(keyOf(ticketId))
    tell()
  },
  /** Whoever logs out leaves nothing behind for the next one at this screen. */
  dropAll() {
    drop(keys().filter(key => key.startsWith(`${PREFIX}${owner}:`)))
    tell()
  },
}

export const useDraft = (ticketId: number): string => useStore(changes, () => drafts.read(ticketId))
