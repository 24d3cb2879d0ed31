import type { Readable } from 'node:stream'
import type { Choices } from '@balcao/contract/choices.ts'
import type { ConnectionStatus, Lib } from '@balcao/contract/connections.ts'
import type { CardData, Media, PlaceData } from '@balcao/contract/media.ts'
import type { Typing } from '@balcao/contract/messages.ts'

/** Whom a chat is with, in every form WhatsApp gave; the first is the one to answer to. */
export interface Chat {
  kind: 'phone' | 'lid' | 'group' | 'cloud'
  /** Digits of a phone or LID, the group's id, or the user id of the official API: never a whole address. */
  value: string
  /** The other name of the same person, when it came along; of the same kind it is the former one. */
  also?: { kind: 'phone' | 'lid' | 'cloud'; value: string }
}

/** Everything a driver can hear, in the product's words; each is written to the journal of inbound events before anything else. */
export type Heard =
  | {
      kind: 'message'
      chat: Chat
      externalId: string
      /** The company's own message, typed on the phone itself. */
      fromMe: boolean
      /** The name the sender gave himself; empty when unknown. */
      name: string
      /** Who wrote in a group. */
      author?: Chat & { name: string }
      body: string
      /** Anything but text is kept with its kind, even where its content cannot be shown yet. */
      mediaType: string | null
      /** What is known of its file; the bytes are fetched later, outside any transaction, by `Session.download`. */
      file?: HeardFile
      /** Place, cards, call, link or choices: one of the `…Data` shapes of the contract's media.ts. */
      data?: object
      quotedExternalId?: string
      isForwarded?: boolean
      /** Until when the company may answer freely, where the network limits it. */
      repliesUntil?: string
      at: string
    }
  /** Somebody's reaction on a message; an empty emoji takes it off. */
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
  /** Its author changed the text of a message. */
  | {
      kind: 'edit'
      chat: Chat
      /** Its own, which tells it from another change in the same second; left out where the network gives none. */
      externalId?: string
      fromMe: boolean
      name: string
      target: Target
      body: string
      at: string
    }
  /** Its author deleted a message for everyone. */
  | { kind: 'delete'; chat: Chat; fromMe: boolean; target: Target; at: string }
  /** A person's name or picture as the network shows it; an empty picture was taken away. */
  | { kind: 'profile'; chat: Chat; name?: string; picture?: HeardFile | null; at: string }
  | { kind: 'ack'; chat: Chat; externalId: string; ack: number; reason?: string; at: string }
  /** The same person under two identifiers. */
  | { kind: 'identity'; chat: Chat; at: string }
  /** Something that cannot be made sense of, and why: it stands in the raw log for whoever looks. */
  | { kind: 'strange'; chat: Chat; externalId: string; body: string; why: string; at: string }

/** Another message of the same chat. */
export interface Target {
  externalId: string
  fromMe: boolean
  /** Who wrote it in a group; left out for our own. */
  author?: Chat
}

export interface HeardFile extends Omit<Media, 'state'> {
  /** What `Session.download` needs to fetch it; kept encrypted. */
  source: string
}

/** What a message says. The body stands beside it: the text, or the caption. */
export type OutgoingContent =
  | { kind: 'text' }
  | {
      kind: 'file'
      as: 'image' | 'video' | 'audio' | 'document' | 'sticker'
      media: Media
      /** Hexadecimal, of the whole file. */
      key: string
      /** Opens the bytes, from the start, as often as asked. */
      open(): Promise<Readable>
    }
  | { kind: 'location'; place: PlaceData }
  | { kind: 'contacts'; cards: CardData }
  | { kind: 'choices'; choices: Choices }
  | { kind: 'template'; name: string; language: string; variables: string[] }

/** One message to go out. Its id was chosen before the first try and stays the same on every other. */
export interface Outgoing {
  chat: Chat
  externalId: string
  body: string
  content: OutgoingContent
  quoted?: Target & { body: string }
  /** False on the first try: a later one may be the second copy of a message that did arrive. */
  again: boolean
}

/** `sent`: the server has it. `refused`: it never will (a code or WhatsApp's own reason). `unknown`: try again, same id. */
export type Outcome = { is: 'sent' } | { is: 'refused'; reason: string } | { is: 'unknown'; reason: string }

export interface SessionState {
  status: ConnectionStatus
  statusReason: string
  qrcode: string
  pairingCode: string
  number: string
  retries: number
}

/** What a driver needs of the house for one connection. All of it throws `LeaseLost` once another process owns it. */
export interface SessionHost {
  companyId: number
  whatsappId: number
  /** A number to pair by typed code; empty pairs by QR. */
  pairNumber: string
  /** False from the moment on in which another process may be the owner: ask before anything leaves. */
  owns(): boolean
  /** Resolves when the news is safely written down; only then may the driver confirm it to its network. */
  hear(incoming: Heard[]): Promise<void>
  /** Whether messages of groups are wanted on this connection; asked again each time. */
  takesGroups(): Promise<boolean>
  /** What of the past the company wants; null when nothing. */
  history(): Promise<{ from: string; until: string; groups: boolean } | null>
  /**
   * Old messages as the network hands them over, possibly twice; those of one second the newest first. `isLast` when
   * there is nothing more.
   * Resolves when they are safely written down: they are taken in beside the live ones, which come first.
   */
  stage(old: Extract<Heard, { kind: 'message' }>[], isLast: boolean): Promise<void>
  /** Says how the session stands; what is left out stays. */
  report(state: Partial<SessionState>): Promise<void>
  /** What a message of ours said, for a recipient who could not read it and asks again; null when it is not ours. */
  sent(externalId: string): Promise<Pick<Outgoing, 'body' | 'content'> | null>
  /** What a customer does at this moment. Nothing is written down; it may be lost. */
  typing(chat: Chat, state: Typing): void
  keys: KeyRows
}

/** Encrypted rows of a connection: credentials and Signal keys. A null value deletes. */
export interface KeyRows {
  read(type: string, ids: string[]): Promise<Map<string, string>>
  readAll(type: string): Promise<Map<string, string>>
  /** All or nothing, and only while this process owns the connection. */
  write(rows: { type: string; id: string; value: string | null }[]): Promise<void>
  clear(): Promise<void>
}

/** One connection of one company, opened by the process that holds its lease. */
export interface ChannelSession {
  /** False while the network is not reachable: the outbox waits. */
  ready(): boolean
  send(message: Outgoing): Promise<Outcome>
  /** Deletes for everyone, changes or reacts; done twice it is done once. */
  act(operation: Operation): Promise<Outcome>
  /** The bytes behind a `HeardFile.source`. Throws `Gone` when the network no longer has them. */
  download(source: string): Promise<Readable>
  markRead(chat: Chat, read: Target[]): Promise<void>
  /** A number as the network writes it, null where nobody has it; a driver that cannot ask has no such question. */
  find?(number: string): Promise<string | null>
  /** Tells the customer that somebody writes or records; lost without harm. */
  type(chat: Chat, state: Typing): Promise<void>
  /** Ends it here; `logout` also tells the network to forget this device. */
  close(how: { logout: boolean }): Promise<void>
}

export interface Driver {
  lib: Lib
  /** Starts a session with the credentials at hand, or begins to pair. Resolves at once; news comes through the door. */
  open(host: SessionHost): Promise<ChannelSession>
}

export type Operation = { chat: Chat; target: Target; externalId: string } & (
  | { what: 'delete' }
  | { what: 'edit'; body: string }
  | { what: 'react'; emoji: string }
)

/** The network no longer has a file, and nobody can be asked to send it again. */
export class Gone extends Error {}

/** Thrown at a process that is no longer the owner of the connection. */
export class LeaseLost extends Error {
  constructor() {
    super('another process runs this connection')
  }
}
