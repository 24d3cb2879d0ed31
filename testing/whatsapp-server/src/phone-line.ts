import { type Account, type Addressing, type Device, jidOf, makeDevice } from './directory.ts'
import { type Group, groupJid, groupOf, STATUS } from './groups.ts'
import type { BinaryNode } from './nodes.ts'
import type { Participant } from './participant.ts'
import { receiveFromDevice } from './stanzas.ts'
import type { State } from './state.ts'

/** What the parts of a phone share: its identity, and its line to the server. */
export interface PhoneLine {
  state: State
  account: Account
  device: Device
  signal: Participant
  addressing: Addressing
  /** Passes a stanza to the server. */
  tell(stanza: BinaryNode): void
  /** Works one step after the other: Signal sessions do not bear two at once. */
  inOrder<T>(step: () => Promise<T>): Promise<T>
  /** The account with this number or jid. Throws when there is none. */
  peer(number: string): Account
  /** The group with this id or jid. */
  group(id: string): Group | undefined
  /** The address under which this phone keeps the chat with a number or a group. */
  chat(number: string): string
}

/** Opens a line for a new phone and enters it as the account's first device. */
export function openLine(
  state: State,
  account: Account,
  signal: Participant,
  addressing: Addressing,
): PhoneLine {
  const device = makeDevice(account, 0, { keys: signal.keys })
  account.devices.set(0, device)
  let work: Promise<unknown> = Promise.resolve()
  const peer = (number: string) => {
    const found = state.directory.account(number)
    if (!found) throw new Error(`there is no phone with the number ${number}`)
    return found
  }
  const group = (id: string) => groupOf(state, id)
  return {
    state,
    account,
    device,
    signal,
    addressing,
    tell: stanza => void receiveFromDevice(state, device, stanza),
    inOrder(step) {
      const done = work.then(step)
      work = done.catch(() => {})
      return done
    },
    peer,
    group,
    chat(to) {
      if (to === STATUS) return to
      const found = group(to)
      return found ? groupJid(found) : jidOf(peer(to), addressing)
    },
  }
}
