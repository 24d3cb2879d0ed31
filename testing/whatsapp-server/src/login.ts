import { type proto, S_WHATSAPP_NET } from 'baileys'
import type { ClientSocket } from './client-socket.ts'
import { type Device, deviceJid } from './directory.ts'
import { type BinaryNode, node, seconds } from './nodes.ts'
import { startPairing } from './pairing.ts'
import { goAway } from './presence.ts'
import { count } from './tally.ts'
import type { World } from './world.ts'

/** Decides what a client that has shaken hands may do: be paired, come in, or go. */
export function admit(world: World, socket: ClientSocket, payload: proto.ClientPayload): void {
  const refusal = world.faults.refusal(payload.userAgent?.appVersion?.tertiary ?? 0)
  const device = knownDevice(world, payload)
  if (refusal) refuse(socket, refusal)
  else if (payload.devicePairingData) startPairing(socket, payload.devicePairingData)
  else if (!device?.noiseKey?.equals(socket.clientStatic)) refuse(socket, 401)
  else enter(world, socket, device)
}

/** The client asks to be fed: sends what it missed and says how much that was. */
export function activate(socket: ClientSocket): void {
  const device = socket.device!
  const missed = device.mailbox.open(stanza => socket.send(stanza))
  socket.send(node('ib', { from: S_WHATSAPP_NET }, [node('offline', { count: `${missed}` })]))
}

/** The phone has taken this companion off its list. */
export function removeDevice(device: Device): void {
  device.account.devices.delete(device.id)
  const removed = node('conflict', { type: 'device_removed' })
  device.kick(node('stream:error', { code: '401' }, [removed]))
}

/** The connection is gone; what its client had not acknowledged stays in the mailbox. */
export function leave(socket: ClientSocket): void {
  const { device } = socket
  if (!device) return
  socket.device = undefined
  device.mailbox.shut()
  goAway(device)
  device.say = undefined
  device.kick = () => {}
}

function knownDevice(world: World, { username, device }: proto.ClientPayload): Device | undefined {
  return world.directory.account(`${username}`)?.devices.get(device ?? 0)
}

function enter(world: World, socket: ClientSocket, device: Device): void {
  count(world.tally.logins, device.account.number)
  device.kick(node('stream:error', {}, [node('conflict', { type: 'replaced' })]))
  socket.device = device
  device.say = stanza => socket.send(stanza)
  device.kick = (last: BinaryNode) => socket.close(last)
  const t = seconds()
  socket.send(node('success', { t, creation: t, props: '1', lid: deviceJid(device, 'lid'), location: 'loc' }))
}

function refuse(socket: ClientSocket, code: number): void {
  socket.close(node('failure', { reason: `${code}`, location: 'loc' }))
}
