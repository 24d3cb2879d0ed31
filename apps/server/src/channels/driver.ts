import type { ConnectionStatus, Lib } from '@balcao/contract/connections.ts'

/** Whom a chat is with, in every form WhatsApp gave; the first is the one to answer to. */
export interface Chat {
  kind: 'phone' | 'lid' | 'group'
  /** Digits of a phone or LID, or the group's id: never a whole address. */
  value: string
  /** The other name of the same person, when it came along. */
  also?: { kind: 'phone' | 'lid'; value: string }
}

/** Everything a driver can hear, in the product's words; each is written to the inbox before anything else. */
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
      quotedExternalId?: string
      at: string
    }
  | { kind: 'ack'; chat: Chat; externalId: string; ack: number; reason?: string; at: string }
  /** The same person under two identifiers. */
  | { kind: 'identity'; chat: Chat; at: string }

/** One message to go out. Its id was chosen before the first try and stays the same on every other. */
export interface Outgoing {
  chat: Chat
  externalId: string
  body: string
  quoted?: { externalId: string; fromMe: boolean; body: string }
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
export interface SessionDoor {
  companyId: number
  whatsappId: number
  /** A number to pair by typed code; empty pairs by QR. */
  pairNumber: string
  /** Resolves when the news is safely written down; only then may the driver confirm it to its network. */
  hear(news: Heard[]): Promise<void>
  /** Says how the session stands; what is left out stays. */
  report(state: Partial<SessionState>): Promise<void>
  /** What a message of ours said, for a recipient who could not read it and asks again; null when it is not ours. */
  sent(externalId: string): Promise<Pick<Outgoing, 'body'> | null>
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
export interface Session {
  /** False while the network is not reachable: the outbox waits. */
  ready(): boolean
  send(message: Outgoing): Promise<Outcome>
  markRead(chat: Chat, externalIds: string[]): Promise<void>
  /** Ends it here; `logout` also tells the network to forget this device. */
  close(how: { logout: boolean }): Promise<void>
}

export interface Driver {
  lib: Lib
  /** Starts a session with the credentials at hand, or begins to pair. Resolves at once; news comes through the door. */
  open(door: SessionDoor): Promise<Session>
}

/** Thrown at a process that is no longer the owner of the connection. */
export class LeaseLost extends Error {
  constructor() {
    super('another process runs this connection')
  }
}
