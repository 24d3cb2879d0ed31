import { type Addressing, addressingOf, type Device, deviceJid, jidOf } from './directory.ts'
import { groupOf, isList, isShared, sharedCopies, sharedSender } from './groups.ts'
import { type Attrs, attr, type BinaryNode, child, children, node, seconds } from './nodes.ts'
import { errorOfStranger } from './restrictions.ts'
import type { State } from './state.ts'
import { count } from './tally.ts'

/** Message attributes that travel to the recipient as the sender wrote them. */
const CARRIED = ['type', 'edit', 'category', 'decrypt-fail', 'push_priority'] as const

/** A device submits a message: it is put into every addressed device's mailbox and acknowledged. */
export function receiveMessage(state: State, sender: Device, message: BinaryNode): void {
  const id = attr(message, 'id')
  const to = attr(message, 'to')
  const shared = isShared(state, to)
  // Channels are not implemented: fail loudly.
  if (!shared && !/@(lid|s\.whatsapp\.net)$/.test(to))
    state.unknown.push({ from: sender.account.number, stanza: message })
  count(state.tally.accepted, id)
  const error = errorFor(state, sender, message)
  if (!error && shared) deliverToMany(state, sender, message)
  else if (!error) for (const copy of copies(message)) deliver(state, sender, message, copy)
  const ack = node('ack', { class: 'message', id, from: to, t: seconds(), error })
  // The requesting connection: a delayed ack does not reach the client's next connection.
  const { say } = sender
  state.faults.ack(() => say?.(ack))
}

interface Copy {
  to: string
  parts: BinaryNode[]
}

function errorFor(state: State, sender: Device, message: BinaryNode): string | undefined {
  const fault = state.faults.messageError()
  if (fault) return `${fault}`
  const to = attr(message, 'to')
  const isStranger = groupOf(state, to)?.members.includes(sender.account) === false
  if (isStranger) return '403'
  if (addressingOf(to) === 'pn' && state.directory.account(to)?.lidOnly) return '463'
  return errorOfStranger(state, sender, message)
}

// A message to one device (a retry, or word to one's own phone) carries its content itself, without participants.
function copies(message: BinaryNode): Copy[] {
  const identity = children(message, 'device-identity')
  const fanout = children(child(message, 'participants'), 'to').map(to => ({
    to: attr(to, 'jid'),
    parts: [...(to.content as BinaryNode[]), ...identity],
  }))
  const own = [...children(message, 'enc'), ...children(message, 'plaintext')]
  const isForOne = message.attrs.device_fanout === 'false' || message.attrs.category === 'peer'
  if (!isForOne || own.length === 0) return fanout
  return [{ to: attr(message, 'to'), parts: [...own, ...identity] }]
}

function deliverToMany(state: State, sender: Device, message: BinaryNode): void {
  const attrs = {
    ...sharedSender(attr(message, 'to'), sender),
    id: attr(message, 'id'),
    t: seconds(),
    notify: sender.account.name,
    ...carried(message),
  }
  const recipients = isList(attr(message, 'to')) ? [recipientsOf(state, sender, message)] : []
  for (const { device, parts } of sharedCopies(state, sender, message)) {
    const isOwn = device.account === sender.account
    device.mailbox.put(node('message', attrs, isOwn ? [...parts, ...recipients] : parts))
  }
}

// The sender's own devices learn to whom a list sent (WAWebHandleMsgParser: `participants`).
function recipientsOf(state: State, sender: Device, message: BinaryNode): BinaryNode {
  const named = children(child(message, 'participants'), 'to')
  const accounts = named.flatMap(to => state.directory.device(attr(to, 'jid'))?.account ?? [])
  const others = [...new Set(accounts)].filter(account => account !== sender.account)
  return node(
    'participants',
    {},
    others.map(account => node('to', { jid: jidOf(account, 'lid') })),
  )
}

function deliver(state: State, sender: Device, message: BinaryNode, copy: Copy): void {
  const device = state.directory.device(copy.to)
  if (!device) return
  const addressing = addressingOf(attr(message, 'to'))
  const attrs = {
    from: deviceJid(sender, addressing),
    id: attr(message, 'id'),
    t: seconds(),
    notify: sender.account.name,
    addressing_mode: addressing === 'lid' ? 'lid' : undefined,
    ...carried(message),
    ...otherName(state, sender, device, message, addressing),
  }
  device.mailbox.put(node('message', attrs, copy.parts))
}

// Who else the sender is (LID or number). A copy for the sender's own devices names the chat and its other name.
function otherName(
  state: State,
  sender: Device,
  device: Device,
  message: BinaryNode,
  addressing: Addressing,
): Attrs {
  const other = addressing === 'lid' ? 'pn' : 'lid'
  if (device.account !== sender.account) {
    const isKept = other === 'pn' && sender.account.isHidden
    return isKept ? {} : { [`sender_${other}`]: jidOf(sender.account, other) }
  }
  if (message.attrs.category === 'peer') return {}
  const recipient = message.attrs.recipient ?? attr(message, 'to')
  const peer = state.directory.account(recipient)
  const isKept = other === 'pn' && peer?.isHidden
  return { recipient, [`peer_recipient_${other}`]: isKept ? undefined : peer && jidOf(peer, other) }
}

function carried(message: BinaryNode): Attrs {
  return Object.fromEntries(CARRIED.map(name => [name, message.attrs[name]]))
}
