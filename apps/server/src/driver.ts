import type { Readable } from 'node:stream'
import type { ConnectionStatus, Lib } from '@balcao/contract/connections.ts'
import type { EventReply } from '@balcao/contract/kinds.ts'
import type { Media, Referral } from '@balcao/contract/media.ts'
import type { Typing } from '@balcao/contract/messages.ts'
import type { LinkPreview, Mentioned, OutgoingContent, VoiceNote, Waveform } from './driver.content.ts'
import type { Tx } from './platform/scope.ts'
import type { Fault } from './platform/work/retries.ts'

/** Whom a chat is with, in every form WhatsApp gave; the first is the one to answer to. */
export interface Chat {
  kind: 'phone' | 'lid' | 'group' | 'cloud'
  /** Digits of a phone or LID, the group's id, or the user id of the official API: never a whole address. */
  value: string
  /** The other name of the same person, when it came along; of the same kind it is the former one. */
  also?: { kind: 'phone' | 'lid' | 'cloud'; value: string }
  /** The user id of the official API that several portfolios of one business share. */
  parent?: string
  /** The name that the person chose in WhatsApp to be found by, in lower case. */
  username?: string
}

/** Everything a driver can receive, translated into the product's shapes; each is a row of the raw message log. */
export type InboundEvent =
  | {
      kind: 'message'
      chat: Chat
      externalId: string
      /** The company's own message, typed on the phone itself. */
      fromMe: boolean
      /** The sender's profile name; empty when unknown. */
      name: string
      /** Who wrote in a group. */
      author?: Chat & { name: string }
      body: string
      /** Anything but text is kept with its kind, even where its content cannot be shown yet. */
      mediaType: string | null
      /** What is known of its file; the bytes are fetched later, outside any transaction, by `Session.download`. */
      file?: InboundFile
      /** One of the `…Data` shapes of the contract's media.ts and kinds.ts. */
      data?: object
      quotedExternalId?: string
      /** What it quotes, as it came along: shown where that message is not here. */
      quotedCopy?: QuotedCopy
      /** Who is mentioned in the body, as `@` and the digits of an address: they are replaced by names. */
      mentions?: Mention[]
      isForwarded?: boolean
      /** The same content once more in a better quality: its file replaces that of the message, which may come later. */
      isBetter?: boolean
      /** A kind that an earlier version of the product could not read: its row is completed, and nothing else follows. */
      isReread?: boolean
      /** The ad, post or product through which the customer came. */
      referral?: Referral
      /** The company's phone sent it to a list of recipients: it is kept where this one is known here, and is no answer. */
      isToList?: boolean
      /** For how long the quoted message is pinned, of a line that says so. */
      pinSeconds?: number
      /** Of an old message. */
      past?: PastState
      /** What was tapped: the id that its choice was sent with. */
      tapId?: string
      /** End of the free reply window, where the network limits it. */
      repliesUntil?: string
      at: string
    }
  /** Somebody's reaction on a message; an empty emoji removes it. */
  | {
      kind: 'reaction'
      chat: Chat
      author?: Chat & { name: string }
      fromMe: boolean
      name: string
      target: Target
      emoji: string
      at: string
    }
  /** Its author changed the text of a message (null: not decrypted), or an event, whose `data` is without its replies. */
  | {
      kind: 'edit'
      chat: Chat
      /** Its own id, which distinguishes edits of the same second; left out where the network gives none. */
      externalId?: string
      fromMe: boolean
      name: string
      target: Target
      body: string | null
      mentions?: Mention[]
      data?: object
      /** Of a message to a list of recipients: it changes what is known here, and nothing is kept of it otherwise. */
      isToList?: boolean
      at: string
    }
  /** Its author, or an admin of its group, deleted a message for everyone. In a group the target names its author. */
  | { kind: 'delete'; chat: Chat; fromMe: boolean; target: Target; isAdmin?: boolean; at: string }
  /** A person's vote in a poll or reply to an event; the newest of each person counts. */
  | {
      kind: 'answer'
      chat: Chat
      /** Its own id, which distinguishes answers of the same second; left out where the network's times are finer. */
      externalId?: string
      author?: Chat & { name: string }
      fromMe: boolean
      name: string
      target: Target
      answer: GivenAnswer
      at: string
    }
  /** A person's name or picture as the network shows it; a null picture was removed. */
  | { kind: 'profile'; chat: Chat; name?: string; picture?: InboundFile | null; at: string }
  | { kind: 'ack'; chat: Chat; externalId: string; ack: number; reason?: string; at: string }
  /** A person stopped or resumed the company's marketing in WhatsApp itself. */
  | { kind: 'marketing'; chat: Chat; isWanted: boolean; at: string }
  /** Messages of the other side that were read on the company's phone, or on another device of its number; with no ids the whole chat until then. */
  | { kind: 'read'; chat: Chat; externalIds: string[]; at: string }
  /**
   * What arrived without its content is no message of its own, such as a better copy: its placeholder is removed. In a group
   * `author` is who sent it.
   */
  | {
      kind: 'nothing'
      chat: Chat
      author?: Chat & { name: string }
      externalId: string
      fromMe: boolean
      at: string
    }
  /** The same person under two identifiers. */
  | { kind: 'identity'; chat: Chat; at: string }
  /** Something that cannot be understood, and why: kept in the raw log only. */
  | { kind: 'strange'; chat: Chat; externalId: string; body: string; why: string; at: string }

/** A message from before the connection, and what has happened to it since. */
export type OldMessage = Extract<InboundEvent, { kind: 'message' }>
type Reaction = Extract<InboundEvent, { kind: 'reaction' }>

/** What an old message has become until the network delivered it. */
export interface PastState {
  /** Of one of the company's. */
  ack: number
  editedAt?: string
  /** The newest of each person. */
  reactions: Pick<Reaction, 'author' | 'fromMe' | 'name' | 'emoji' | 'at'>[]
  answers: Pick<Extract<InboundEvent, { kind: 'answer' }>, 'author' | 'fromMe' | 'name' | 'answer' | 'at'>[]
}

/** A name of the address book of the phone that uses the number too; an empty one was removed. */
export type BookEntry = { kind: 'phone' | 'lid' | 'cloud'; value: string; name: string; at: string }

/** A vote by the numbers of its choices, none when it is withdrawn; or whether a person comes, with how many guests. */
export type GivenAnswer =
  | { to: 'poll'; choices: number[] }
  | { to: 'event'; reply: EventReply; guests: number }

/** A small copy of a quoted message. */
export interface QuotedCopy {
  body: string
  mediaType: string | null
  fromMe: boolean
  /** Who wrote it in a group. */
  author?: Chat
  /** The company's status. */
  isStatus?: true
}

/** Somebody mentioned; `written` are the digits behind the `@`. */
export type Mention = Chat & { written: string }

/** Another message of the same chat. */
export interface Target {
  externalId: string
  fromMe: boolean
  /** Who wrote it in a group; left out for our own. */
  author?: Chat
}

export interface InboundFile extends Omit<Media, 'state'> {
  /** What `Session.download` needs to fetch it; kept encrypted. */
  source: string
}

/** One message to send. Its id is chosen before the first try and is the same on every other. */
export interface Outgoing {
  chat: Chat
  externalId: string
  body: string
  content: OutgoingContent
  quoted?: Target & { body: string }
  /** Marked as forwarded where the network has a mark for it. */
  isForwarded?: boolean
  /** False on the first try: a later one may repeat a message that arrived. */
  again: boolean
}

/**
 * `sent`: the server has it (`earlier`: since a previous try; this one sent nothing). `refused`: final, with a code or
 * WhatsApp's own reason. `unknown`: to be tried again under the same id; the network's fault unless `fault` says otherwise.
 * `held`: the network refused it for a time; to be sent under the same id, not before `until`.
 */
export type Outcome =
  | { is: 'sent'; earlier?: true }
  | { is: 'refused'; reason: string }
  | { is: 'unknown'; reason: string; fault?: Fault }
  | { is: 'held'; reason: string; until: string }

export interface SessionState {
  status: ConnectionStatus
  statusReason: string
  /** When it is opened again without an order; null unless it is disconnected for a time. */
  statusUntil: string | null
  qrcode: string
  pairingCode: string
  number: string
  retries: number
}

export type SessionReport = Partial<SessionState> & { fall?: FallNote }

/** Why a connection is lost or ended, for its history: an error code. */
export interface FallNote {
  reason: string
  /** The network's own code; empty where there is none. */
  code: string
}

/**
 * Checks by the clock of the database whether this process still holds the connection's lease, and throws LeaseLost
 * otherwise. A driver calls it in the step in which the bytes of a message leave, with nothing awaited in between: a process
 * that was frozen before that step finds the next owner, and sends nothing. Answering `sent` without a check is an error.
 */
export type CheckLease = () => Promise<void>

/** Calls a driver with the lease check, and throws when it reports `sent` without having called it. */
export async function sendChecked(
  checkLease: CheckLease,
  send: (checkLease: CheckLease) => Promise<Outcome>,
): Promise<Outcome> {
  let isChecked = false
  const outcome = await send(async () => {
    await checkLease()
    isChecked = true
  })
  const isNew = outcome.is === 'sent' && !outcome.earlier
  if (isNew && !isChecked) throw new Error('a driver sent something without checking its lease')
  return outcome
}

/** What a driver gets for one connection. Everything throws `LeaseLost` once another process owns it. */
export interface SessionHost {
  companyId: number
  whatsappId: number
  /** A number to pair by typed code; empty pairs by QR. */
  pairNumber: string
  /** False from the moment on in which another process may be the owner. */
  owns(): boolean
  /** Writes rows of the connection, in a transaction that holds the lease until its commit. */
  write<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  /** Resolves when the events are committed; only then may the driver confirm them to its network. */
  receive(events: InboundEvent[]): Promise<void>
  /** Whether messages of groups are accepted on this connection; read on each call. */
  acceptsGroups(): Promise<boolean>
  /** The period of old messages that the company imports; null when none. */
  history(): Promise<{ from: string; until: string; groups: boolean } | null>
  /**
   * Old messages as the network delivers them, possibly twice; those of one second newest first. `isLast` with the last ones.
   * Resolves when they are committed: they are imported in parallel to live ones, which have priority.
   */
  stage(old: OldMessage[], isLast: boolean): Promise<void>
  /** Reports the session's state, with the fall that is the cause of it; fields left out stay. */
  report(state: SessionReport): Promise<void>
  /** When the connection may be opened again; null for now. It outlives the process, and an admin's order ends it. */
  restsUntil(): Promise<string | null>
  /** Until when the network refuses first messages to people who never wrote; null when it does not. */
  restrict(until: string | null): Promise<void>
  /** The content of a sent message, for a recipient who could not decrypt it; null when it is not ours. */
  sent(externalId: string): Promise<Pick<Outgoing, 'body' | 'content' | 'isForwarded'> | null>
  /** A recording as a voice note, `as it is` for Ogg with Opus, and how that looks; null for what cannot be read, or not in time. */
  voiceNote(recording: { media: Media; open(): Promise<Readable> }): Promise<VoiceNote | 'as it is' | null>
  waveform(recording: { media: Media; open(): Promise<Readable> }): Promise<Waveform | null>
  /** Counts what arrived incomplete, for the metrics of the connection. */
  count(what: Incomplete | Silence): void
  /** The error by which received events cannot be recorded now; null when they were. The connection's screen shows it. */
  recording(error: unknown): void
  /** What a phone shows of the first link of a text; null for none, or where the page does not answer within seconds. */
  linkPreview(text: string): Promise<LinkPreview | null>
  /** Keeps what the phone's address book calls people, and names those whom no user named; it names later messages, too. */
  keepBook(entries: BookEntry[]): Promise<void>
  /** A customer is typing or recording. Nothing is stored; it may be lost. */
  typing(chat: Chat, state: Typing): void
  keys: KeyRows
}

/** A message without its content; the content that came later; an edit without its text; a kind that no later version can read. */
export type Incomplete = 'placeholder' | 'replaced' | 'unreadable edit' | 'kind not kept'

/** Why what arrived is no event: it is only counted. */
export type Silence =
  | 'about another message'
  | 'between devices'
  | 'frame of an album'
  | 'motion photo'
  | 'no chat of ours'
  | 'private to the owner'
  | 'reported by its call'
  | 'unwanted group'
  | 'without a content'
  | 'without an id'

/** Encrypted rows of a connection: credentials and Signal keys. A null value deletes. */
export interface KeyRows {
  read(type: string, ids: string[]): Promise<Map<string, string>>
  readAll(type: string): Promise<Map<string, string>>
  /** All or nothing, and only while this process owns the connection. */
  write(rows: KeyRow[]): Promise<void>
  clear(): Promise<void>
}

export interface KeyRow {
  type: string
  id: string
  value: string | null
  /** It is deleted two days after it was written. */
  isPassing?: boolean
}

/** One connection of one company, opened by the process that holds its lease. */
export interface ChannelSession {
  /** False while the network is not reachable: the outbox waits. */
  ready(): boolean
  send(message: Outgoing, checkLease: CheckLease): Promise<Outcome>
  /** Deletes for everyone, edits, reacts or pins; idempotent. */
  act(operation: Operation, checkLease: CheckLease): Promise<Outcome>
  /** The bytes behind a `InboundFile.source`. Throws `Gone` when the network no longer has them. */
  download(source: string): Promise<Readable>
  markRead(chat: Chat, read: Target[]): Promise<void>
  /** A number as the network writes it, null for one without an account; left out where the network has no such query. */
  find?(number: string): Promise<string | null>
  /** Shows typing or recording to the customer; may be lost. */
  type(chat: Chat, state: Typing): Promise<void>
  /** Ends it here; `logout` also unpairs this device. */
  close(how: { logout: boolean }): Promise<void>
}

export interface Driver {
  lib: Lib
  /** Starts a session with the stored credentials, or begins to pair. Resolves at once; everything else comes by the host. */
  open(host: SessionHost): Promise<ChannelSession>
}

export type Operation = { chat: Chat; target: Target; externalId: string } & (
  | { what: 'delete' }
  | { what: 'edit'; body: string; mentions?: Mentioned[] }
  | { what: 'react'; emoji: string }
  /** For everyone in the chat; 0 seconds take the pin off. */
  | { what: 'pin'; seconds: number }
)

/** The network no longer has a file. */
export class Gone extends Error {}

/** A part of the network, such as a host of its files, is not reachable: nothing was sent. */
export class Unreachable extends Error {}

/** Thrown at a process that is no longer the owner of the connection. */
export class LeaseLost extends Error {
  constructor() {
    super('another process runs this connection')
  }
}
