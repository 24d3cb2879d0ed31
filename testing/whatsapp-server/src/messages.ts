import { type Addressing, addressingOf, type Device, deviceJid, jidOf } from './directory.ts'
import { groupOf, isShared, sharedCopies, sharedSender } from './groups.ts'
import { type Attrs, attr, type BinaryNode, child, children, node, seconds } from './nodes.ts'
import { count } from './tally.ts'
import type { World } from './world.ts'

/** Message attributes that travel to the recipient as the sender wrote them. */
const CARRIED = ['type', 'edit', 'category', 'decrypt-fail', 'push_priority'] as const

/** A device hands in a message: it is put into every addressed device's mailbox and acknowledged. */
export function takeMessage(world: World, sender: Device, message: BinaryNode): void {
  const id = attr(message, 'id')
  const to = attr(message, 'to')
  const shared = isShared(world, to)
  // Broadcast lists and channels are not built: nobody may believe that they work.
  if (!shared && !/@(lid|s\.whatsapp\.net)$/.test(to))
    world.unknown.push({ from: sender.account.number, stanza: message })
  count(world.tally.accepted, id)
  const error = errorFor(world, sender, message)
  if (!error && shared) deliverToMany(world, sender, message)
  else if (!error) for (const copy of copies(message)) deliver(world, sender, message, copy)
  const ack = node('ack', { class: 'message', id, from: to, t: seconds(), error })
  // The connection that asked: an ack that is held back does not reach the client's next connection.
  const { say } = sender
  world.faults.ack(() => say?.(ack))
}

interface Copy {
  to: string
  parts: BinaryNode[]
}

function errorFor(world: World, sender: Device, message: BinaryNode): string | undefined {
  const fault = world.faults.messageError()
  if (fault) return `${fault}`
  const to = attr(message, 'to')
  const isStranger = groupOf(world, to)?.members.includes(sender.account) === false
  if (isStranger) return '403'
  return addressingOf(to) === 'pn' && world.directory.account(to)?.lidOnly ? '463' : undefined
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

function deliverToMany(world: World, sender: Device, message: BinaryNode): void {
  const attrs = {
    ...sharedSender(attr(message, 'to'), sender),
    id: attr(message, 'id'),
    t: seconds(),
    notify: sender.account.name,
    ...carried(message),
  }
  for (const { device, parts } of sharedCopies(world, sender, message))
    device.mailbox.put(node('message', attrs, parts))
}

function deliver(world: World, sender: Device, message: BinaryNode, copy: Copy): void {
  const device = world.directory.device(copy.to)
  if (!device) return
  const addressing = addressingOf(attr(message, 'to'))
  const attrs = {
    from: deviceJid(sender, addressing),
    id: attr(message, 'id'),
    t: seconds(),
    notify: sender.account.name,
    addressing_mode: addressing === 'lid' ? 'lid' : undefined,
    ...carried(message),
    ...otherName(world, sender, device, message, addressing),
  }
  device.mailbox.put(node('message', attrs, copy.parts))
}

// Who else the sender is (LID or number). A copy for the sender's own devices names the chat and its other name.
function otherName(
  world: World,
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
  const peer = world.directory.account(recipient)
  const isKept = other === 'pn' && peer?.isHidden
  return { recipient, [`peer_recipient_${other}`]: isKept ? undefined : peer && jidOf(peer, other) }
}

function carried(message: BinaryNode): Attrs {
  return Object.fromEntries(CARRIED.map(name => [name, message.attrs[name]]))
}
