import { type Account, addressingOf, type Device, deviceJid, jidOf } from './directory.ts'
import { isShared } from './groups.ts'
import { attr, type BinaryNode, children, firstChild, node, seconds } from './nodes.ts'
import type { State } from './state.ts'
import { count } from './tally.ts'

/** Receipts that end with the server: they concern the device and its server only. */
const PRIVATE = new Set(['sender', 'hist_sync', 'peer_msg'])
/** Receipts that confirm that the device has the message, so that the server may delete it. */
const CONFIRMING = new Set([undefined, 'inactive', 'sender', 'peer_msg'])

/** The code with which Baileys gives back what it has no key for, without asking for it once more. */
const ALREADY_READ_OR_NEVER = '487'

/** A device confirms, has read, or could not decrypt messages. */
export function receiveReceipt(state: State, device: Device, receipt: BinaryNode): void {
  const { type } = receipt.attrs
  const to = attr(receipt, 'to')
  if (CONFIRMING.has(type)) {
    for (const id of receiptIds(receipt)) {
      device.mailbox.settle('message', id)
      if (device.noiseKey) count(state.tally.confirmed, id)
    }
  }
  device.say?.(node('ack', { class: 'receipt', id: attr(receipt, 'id'), from: to, type }))
  if (type === 'retry') passRetry(state, device, receipt)
  else if (type === 'server-error') passToPhone(device, receipt)
  else if (PRIVATE.has(type ?? '')) return
  else if (isShared(state, to)) passToAuthor(state, device, receipt)
  else passReceipt(state, device, receipt)
}

/** A device confirms a stanza, or gives it back with an error. */
export function receiveAck(state: State, device: Device, ack: BinaryNode): void {
  const id = attr(ack, 'id')
  const { error: code } = ack.attrs
  if (code) state.tally.nacks.push({ id, code })
  if (code === ALREADY_READ_OR_NEVER) state.tally.unreadable.push({ by: device.account.number, id })
  device.mailbox.settle(attr(ack, 'class'), id)
}

/** Every message id of a receipt. */
export function receiptIds(receipt: BinaryNode): string[] {
  const list = firstChild(receipt)
  return [attr(receipt, 'id'), ...children(list, 'item').map(item => attr(item, 'id'))]
}

// In a shared chat a receipt goes to the sender of the message only.
function passToAuthor(state: State, device: Device, receipt: BinaryNode): void {
  const author = state.directory.account(attr(receipt, 'participant'))
  const participant = jidOf(device.account, 'lid')
  const { to, type } = receipt.attrs
  put(devicesOf(author), receipt, { from: to, participant, type: shown(type) })
}

function passReceipt(state: State, device: Device, receipt: BinaryNode): void {
  const to = attr(receipt, 'to')
  const { type } = receipt.attrs
  const from = jidOf(device.account, addressingOf(to))
  const isRead = type === 'read' || type === 'read-self'
  if (isRead) {
    const others = [...device.account.devices.values()].filter(other => other !== device)
    put(others, receipt, { from, type: 'read-self', recipient: to })
  }
  if (type === 'read-self') return
  put(devicesOf(state.directory.account(to)), receipt, { from, type: shown(type) })
}

/** The receipt for the sender. */
const shown = (type: string | undefined) => (type === 'inactive' ? undefined : type)

function passRetry(state: State, device: Device, receipt: BinaryNode): void {
  const to = attr(receipt, 'to')
  const id = attr(receipt, 'id')
  count(state.tally.retries, id)
  state.tally.asked.push({ by: device.account.number, id })
  // The phone reports itself what it cannot decrypt, since it does not always request a resend.
  if (device.noiseKey) state.tally.unreadable.push({ by: device.account.number, id })
  if (isShared(state, to)) {
    const author = state.directory.device(attr(receipt, 'participant'))
    put(author ? [author] : [], receipt, { from: to, participant: deviceJid(device, 'lid'), type: 'retry' })
    return
  }
  const sender = state.directory.device(to)
  const { recipient } = receipt.attrs
  if (sender) put([sender], receipt, { from: deviceJid(device, addressingOf(to)), type: 'retry', recipient })
}

// A file could not be downloaded: only the own phone can upload it again.
function passToPhone(device: Device, receipt: BinaryNode): void {
  const phone = device.account.devices.get(0)
  put(phone ? [phone] : [], receipt, { from: deviceJid(device, 'lid'), type: 'server-error' })
}

function put(devices: Device[], receipt: BinaryNode, attrs: Record<string, string | undefined>): void {
  const passed = node('receipt', { id: attr(receipt, 'id'), t: seconds(), ...attrs }, receipt.content)
  for (const device of devices) device.mailbox.put(passed)
}

const devicesOf = (account: Account | undefined): Device[] => [...(account?.devices.values() ?? [])]
