import { createHash } from 'node:crypto'
import { jidDecode, jidEncode } from 'baileys'
import { Mailbox } from './mailbox.ts'
import { type BinaryNode, seconds } from './nodes.ts'
import type { Picture } from './pictures.ts'

export type Addressing = 'lid' | 'pn'

/** One WhatsApp account: a phone (device 0) and the companions linked to it. */
export interface Account {
  number: string
  lid: string
  name: string
  /** Other spellings of the number that resolve to it in queries; nothing is sent to them. */
  aliases: string[]
  /** Refuses messages addressed to the phone number with error 463, as accounts that moved to LIDs do. */
  lidOnly: boolean
  /** Its LID goes out without its number. */
  isHidden: boolean
  /** Requests a resend of what it cannot decrypt and resends on request, as phones do. */
  honoursRetries: boolean
  /** Until when it may not begin conversations. */
  restrictedUntil: Date | null
  /** Who wrote to it. */
  wroteTo: Set<Account>
  picture?: Picture
  /** The picture is hidden from others. */
  hidesPicture: boolean
  /** Seconds, as text. */
  lastSeen: string
  /** Devices that want to know whether it is there, and how they call it. */
  watchers: Map<Device, string>
  devices: Map<number, Device>
  lastDeviceId: number
}

export interface Device {
  account: Account
  id: number
  /** The Noise key it paired with; the phone double has none, since it has no socket. */
  noiseKey?: Buffer
  /** It requested the whole history when it was paired. */
  wantsFullHistory: boolean
  keys: DeviceKeys
  mailbox: Mailbox
  /** Shows itself as online. */
  isAvailable: boolean
  /** Sends what need not survive a disconnect (acks, typing); undefined while disconnected. */
  say: ((stanza: BinaryNode) => void) | undefined
  /** Ends the connection, if there is one, with a last stanza. */
  kick(last: BinaryNode): void
}

export interface SignedKey {
  id: Buffer
  value: Buffer
  signature: Buffer
}

/** What others need to begin a Signal session with a device. */
export interface DeviceKeys {
  registrationId: Buffer
  identity: Buffer
  signedPreKey: SignedKey
  preKeys: { id: Buffer; value: Buffer }[]
}

export interface AccountOptions {
  name?: string
  aliases?: string[]
  lidOnly?: boolean
  isHidden?: boolean
  honoursRetries?: boolean
}

/** Who exists, under which numbers, LIDs and devices. */
export class Directory {
  readonly #accounts = new Map<string, Account>()
  readonly #aliases = new Map<string, Account>()

  all(): Account[] {
    return [...new Set(this.#accounts.values())]
  }

  /** Adds an account. Throws when the number exists. */
  add(number: string, about: AccountOptions = {}): Account {
    if (this.#accounts.has(number)) throw new Error(`${number} already has a phone`)
    const { name = number, aliases = otherSpellings(number), honoursRetries = true } = about
    const { lidOnly = false, isHidden = false } = about
    const account: Account = {
      number,
      lid: lidFor(number),
      name,
      aliases,
      lidOnly,
      isHidden,
      honoursRetries,
      restrictedUntil: null,
      wroteTo: new Set(),
      hidesPicture: false,
      lastSeen: seconds(),
      watchers: new Map(),
      devices: new Map(),
      lastDeviceId: 0,
    }
    for (const user of [number, account.lid]) this.#accounts.set(user, account)
    for (const alias of aliases) this.#aliases.set(alias, account)
    return account
  }

  /** The account behind a jid of any form, or a bare number. */
  account(jidOrNumber: string): Account | undefined {
    return this.#accounts.get(jidDecode(jidOrNumber)?.user ?? jidOrNumber)
  }

  /** The LID of a number, whether it has a phone here or not. */
  lidOf(number: string): string {
    return this.#accounts.get(number)?.lid ?? lidFor(number)
  }

  /** Whom one reaches by dialling this: the number may be spelt otherwise than the account's own. */
  dialled(number: string): Account | undefined {
    return this.#accounts.get(number) ?? this.#aliases.get(number)
  }

  /** The device behind a jid; a jid without a device names the phone. */
  device(jid: string): Device | undefined {
    return this.account(jid)?.devices.get(jidDecode(jid)?.device ?? 0)
  }
}

/** A device that is not in its account yet. */
export function makeDevice(
  account: Account,
  id: number,
  about: Pick<Device, 'keys'> & Partial<Device>,
): Device {
  return {
    account,
    id,
    mailbox: new Mailbox(),
    wantsFullHistory: false,
    isAvailable: false,
    say: undefined,
    kick: () => {},
    ...about,
  }
}

/** An account's own address. */
export function jidOf(account: Account, addressing: Addressing): string {
  return addressing === 'lid' ? jidEncode(account.lid, 'lid') : jidEncode(account.number, 's.whatsapp.net')
}

/** A device's address; the phone's is that of the account. */
export function deviceJid(device: Device, addressing: Addressing): string {
  const { account, id } = device
  return addressing === 'lid'
    ? jidEncode(account.lid, 'lid', id)
    : jidEncode(account.number, 's.whatsapp.net', id)
}

export const addressingOf = (jid: string): Addressing => (jid.endsWith('@lid') ? 'lid' : 'pn')

// Brazil's mobile numbers got a ninth digit; accounts keep the spelling they began with.
function otherSpellings(number: string): string[] {
  const [, short] = /^55(\d{2}[6-9]\d{7})$/.exec(number) ?? []
  const [, area, rest] = /^55(\d{2})9([6-9]\d{7})$/.exec(number) ?? []
  if (short) return [`55${short.slice(0, 2)}9${short.slice(2)}`]
  return area && rest ? [`55${area}${rest}`] : []
}

// The same number has the same LID in every run, and no LID looks like a number with a country code in use.
function lidFor(number: string): string {
  const digest = createHash('sha256').update(number).digest().readUIntBE(0, 6)
  return `${100_000_000_000_000 + (digest % 800_000_000_000_000)}`
}
