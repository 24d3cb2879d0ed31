import { createHash } from 'node:crypto'
import { jidDecode, jidEncode } from 'baileys'
import { Mailbox } from './mailbox.ts'
import type { BinaryNode } from './nodes.ts'

export type Addressing = 'lid' | 'pn'

/** One WhatsApp account: a phone (device 0) and the companions linked to it. */
export interface Account {
  number: string
  lid: string
  name: string
  /** Other spellings of the number that lead here, such as Brazil's with or without the ninth digit. */
  aliases: string[]
  /** Refuses messages addressed to the phone number with error 463, as accounts that moved to LIDs do. */
  lidOnly: boolean
  devices: Map<number, Device>
  lastDeviceId: number
}

export interface Device {
  account: Account
  id: number
  /** The Noise key it paired with; the phone double has none, since it speaks without a socket. */
  noiseKey?: Buffer
  keys: DeviceKeys
  mailbox: Mailbox
  /** Sends what need not survive a disconnect (acks, typing); undefined while nobody is connected. */
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

/** Who exists, under which numbers, LIDs and devices. */
export class Directory {
  readonly #accounts = new Map<string, Account>()

  all(): Account[] {
    return [...new Set(this.#accounts.values())]
  }

  /** Adds an account. Throws when the number is taken. */
  add(number: string, about: Partial<Pick<Account, 'name' | 'aliases' | 'lidOnly'>> = {}): Account {
    if (this.#accounts.has(number)) throw new Error(`${number} already has a phone`)
    const { name = number, aliases = [], lidOnly = false } = about
    const account = {
      number,
      lid: lidFor(number),
      name,
      aliases,
      lidOnly,
      devices: new Map(),
      lastDeviceId: 0,
    }
    for (const user of [number, account.lid, ...aliases]) this.#accounts.set(user, account)
    return account
  }

  /** The account behind a jid of any form, or a bare number. */
  account(jidOrNumber: string): Account | undefined {
    return this.#accounts.get(jidDecode(jidOrNumber)?.user ?? jidOrNumber)
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
  return { account, id, mailbox: new Mailbox(), say: undefined, kick: () => {}, ...about }
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

// The same number has the same LID in every run, and no LID looks like a number with a country code in use.
function lidFor(number: string): string {
  const digest = createHash('sha256').update(number).digest().readUIntBE(0, 6)
  return `${100_000_000_000_000 + (digest % 800_000_000_000_000)}`
}
