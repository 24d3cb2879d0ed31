import type { WAMessage } from 'baileys'
import type { Logger } from 'pino'
import type { InboundEvent, KeyRows, SessionHost } from '../../../driver.ts'
import { externalIdOf } from '../../../platform/external.ts'
import type { Owner } from '../keys/journal.ts'
import { GroupNotices } from './notices.ts'
import { copiesOf, eventInList, isOnOwnList, withIdOfCopy } from './own-lists.ts'
import { UnreadMessages } from './placeholders.ts'
import { SealedChanges } from './sealed/changes.ts'
import { isWithheld, readableEventOf, withdrawalOf } from './translate.ts'
import { UnreadKinds } from './unread-kinds.ts'

/** An event, and the message that it comes from, where one is to be learnt from or asked about. */
export interface ReadPart {
  event: InboundEvent | null
  message?: WAMessage
}

/** What a message means, and what follows once that is recorded. */
export interface Read {
  parts: ReadPart[]
  recorded?: () => Promise<void>
}

/** Reads in the order of arrival what needs rows; repeated when its events could not be recorded. */
export type Later = () => Promise<Read>

interface Parts {
  sealed: SealedChanges
  placeholders: UnreadMessages
  notices: GroupNotices
  rows: KeyRows
  count: SessionHost['count']
  me(): Owner
}

/** Reads the messages of one connection. It outlives sockets. */
export interface Reader {
  /** How a message is read: in its turn, since an edit needs what came before it. */
  later(message: WAMessage): Later
  /** Placeholders that an earlier process wrote down, and did not record; kinds that an earlier version could not read. */
  unrecorded(): Later[]
  placeholders: UnreadMessages
  notices: GroupNotices
  unreadKinds: UnreadKinds
  /** Whom the connection is known as, since it is paired. */
  isRunBy(owner: Owner): void
}

export async function openReader(
  { keys: rows, count }: Pick<SessionHost, 'keys' | 'count'>,
  log: Logger,
): Promise<Reader> {
  let known: Owner = { id: '', lid: '', advSecretKey: '' }
  const me = () => known
  const sealed = new SealedChanges({ rows, me })
  const placeholders = new UnreadMessages({ rows, me, log })
  const notices = new GroupNotices(rows)
  const unreadKinds = new UnreadKinds(rows, count)
  const parts = { sealed, placeholders, notices, rows, count, me }
  await notices.load()
  await sealed.load()
  await placeholders.load()
  await unreadKinds.load()
  return {
    placeholders,
    notices,
    unreadKinds,
    later: message => laterOf(parts, message),
    unrecorded: () => [
      ...placeholders.unrecorded().map(one => async () => counted(parts, one)),
      ...unreadKinds.readable().map(({ id, event }) => async () => ({
        parts: [{ event }],
        recorded: () => unreadKinds.forget(id),
      })),
    ],
    isRunBy(owner) {
      known = owner
    },
  }
}

const laterOf =
  (parts: Parts, message: WAMessage): Later =>
  async () => {
    const { sealed, placeholders, me } = parts
    const isUnread = sealed.isOne(message) || placeholders.isOne(message)
    // to whom it went is not known, and its author is the company
    if (isUnread && isOnOwnList(message.key, me())) return inEachChat(parts, [], message)
    if (sealed.isOne(message)) return changed(parts, await sealed.eventOf(message), message)
    if (placeholders.isOne(message)) {
      const event = await placeholders.eventOf(message)
      return event ? counted(parts, event) : { parts: [{ event, message }] }
    }
    const resent = placeholders.resentIn(message)
    if (!resent) return withEdits(parts, message)
    const reads: Read[] = []
    for (const one of resent) {
      await sealed.remember(one)
      reads.push(await withEdits(parts, one))
    }
    return {
      parts: reads.flatMap(({ parts }) => parts),
      async recorded() {
        for (const { recorded } of reads) await recorded?.()
      },
    }
  }

/** A message with the edits that came before it. */
async function withEdits(parts: Parts, message: WAMessage): Promise<Read> {
  const { sealed, placeholders, notices, count, me } = parts
  const copies = copiesOf(message, me())
  if (copies) return inEachChat(parts, copies, message)
  const event = readableEventOf(message)
  const id = externalIdOf(message.key.id)
  const waiting = event?.kind === 'message' ? await sealed.waitingFor(id) : null
  const isAwaited = placeholders.awaits(id)
  if (isWithheld(message)) return { parts: [{ event }], recorded: () => placeholders.recorded(id) }
  if (!waiting && !isAwaited) return { parts: [{ event, message }], recorded: () => notices.recorded(id) }
  const isShown = event?.kind === 'message' && event.externalId === id
  const withdrawal = isAwaited && !isShown ? withdrawalOf(message) : null
  return {
    parts: [{ event, message }, ...[...(waiting?.events ?? []), withdrawal].map(next => ({ event: next }))],
    async recorded() {
      await waiting?.forget()
      await placeholders.forget(id)
      if (isAwaited) count('replaced')
    },
  }
}

/** What the phone sent to a list of recipients: an event in the chat of each. */
async function inEachChat({ rows }: Parts, copies: WAMessage[], message: WAMessage): Promise<Read> {
  const found = copies.flatMap(copy => eventInList(readableEventOf(copy), message) ?? [])
  const events = await Promise.all(found.map(event => withIdOfCopy(rows, event)))
  if (events.length > 0) return { parts: events.map(event => ({ event })) }
  return { parts: [{ event: null, message: { ...message, key: { ...message.key, fromMe: true } } }] }
}

/** What an encrypted change does; without an event, why there is none is counted by its message. */
function changed({ count }: Parts, event: InboundEvent | null, message: WAMessage): Read {
  if (!event) return { parts: [{ event, message }] }
  if (event.kind !== 'edit' || event.body !== null) return { parts: [{ event }] }
  return { parts: [{ event }], recorded: async () => count('unreadable edit') }
}

/** A message without its content. */
function counted({ placeholders, count }: Parts, event: InboundEvent): Read {
  return {
    parts: [{ event }],
    async recorded() {
      if (event.kind === 'message') await placeholders.recorded(event.externalId)
      count('placeholder')
    },
  }
}
