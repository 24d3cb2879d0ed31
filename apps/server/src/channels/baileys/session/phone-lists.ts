import type { WASocket } from 'baileys'
import { LeaseLost, type SessionHost } from '../../../driver.ts'
import { databaseTime } from '../../../platform/clock.ts'
import { isConnectionFailure } from '../../../platform/errors.ts'
import { addressBookIn } from '../inbound/address-book.ts'
import { markedReadIn } from '../inbound/receipts.ts'
import type { WireOptions } from './socket.ts'
import { insist } from './time-limit.ts'

/** So often entries are stored again that fail while the database answers: the fault may be in them. */
const BOOK_TRIES = 3
/** So long after a connection was opened the phone's lists may come that changed before. */
const SYNCED_MS = 60_000

interface Options extends Pick<SessionHost, 'keepBook'>, Pick<WireOptions, 'add'> {
  log: { warn(what: object, message: string): void }
  /** The socket is retired: the next one has its own lists. */
  isOver(): boolean
}

/** What the phone changes in its lists: its address book, and what it marks as read. */
export function followLists(ev: Pick<WASocket['ev'], 'on'>, { keepBook, add, log, isOver }: Options): void {
  const openedAt = performance.now()
  ev.on('contacts.upsert', contacts => {
    const { entries, usernames } = addressBookIn(contacts, databaseTime())
    let tries = 0
    void insist(
      () => keepBook(entries),
      error => {
        if (error instanceof LeaseLost || isOver()) return false
        if (isConnectionFailure(error) || ++tries < BOOK_TRIES) return true
        log.warn({ err: error, entries: entries.length }, 'the address book of a phone could not be kept')
        return false
      },
    )
    for (const one of usernames) add(one)
  })
  ev.on('chats.update', chats => {
    // what was marked before this connection comes now, and without its time: later messages may be unread
    if (performance.now() - openedAt > SYNCED_MS) for (const read of markedReadIn(chats)) add(read)
  })
}
