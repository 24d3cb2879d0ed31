import { type Account, addressingOf, type Device, jidOf } from './directory.ts'
import { devicesIn, groupOf } from './groups.ts'
import { attr, type BinaryNode, node, seconds } from './nodes.ts'
import type { State } from './state.ts'

/**
 * A device sends its presence, or subscribes to another's. As on WhatsApp, an unavailable device receives neither
 * presence nor typing.
 */
export function receivePresence(state: State, device: Device, stanza: BinaryNode): void {
  const { type, to } = stanza.attrs
  if (type === 'subscribe') subscribe(state, device, to ?? '')
  // Without a type it carries only the account's name.
  else if (type) show(device, type === 'available')
}

/** The connection of a device is gone. */
export function goAway(device: Device): void {
  if (device.isAvailable) show(device, false)
}

function show(device: Device, isAvailable: boolean): void {
  const { account } = device
  device.isAvailable = isAvailable
  account.lastSeen = seconds()
  for (const [watcher, jid] of account.watchers) if (hears(watcher)) watcher.say?.(presenceOf(account, jid))
}

/** A connected phone receives it in any case. */
const hears = (device: Device) => device.id === 0 || device.isAvailable

/** A device types, records or pauses. */
export function passChatState(state: State, device: Device, stanza: BinaryNode): void {
  const to = attr(stanza, 'to')
  const group = groupOf(state, to)
  const own = jidOf(device.account, group ? 'lid' : addressingOf(to))
  const attrs = group ? { from: to, participant: own } : { from: own }
  const others = group ? devicesIn(group) : [...(state.directory.account(to)?.devices.values() ?? [])]
  for (const other of others) {
    if (other.account !== device.account && hears(other))
      other.say?.(node('chatstate', attrs, stanza.content))
  }
}

function subscribe(state: State, device: Device, jid: string): void {
  const account = state.directory.account(jid)
  if (!account) return
  account.watchers.set(device, jid)
  if (hears(device)) device.say?.(presenceOf(account, jid))
}

/** Named as the watcher named it. */
function presenceOf({ devices, lastSeen }: Account, from: string): BinaryNode {
  const isThere = [...devices.values()].some(({ isAvailable }) => isAvailable)
  return node('presence', isThere ? { from } : { from, type: 'unavailable', last: lastSeen })
}
