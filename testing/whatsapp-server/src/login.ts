import { type proto, S_WHATSAPP_NET } from 'baileys'
import type { ClientSocket } from './client-socket.ts'
import { type Device, deviceJid } from './directory.ts'
import { type BinaryNode, node, seconds } from './nodes.ts'
import { startPairing } from './pairing.ts'
import { goAway } from './presence.ts'
import type { State } from './state.ts'
import { count } from './tally.ts'

/** Decides after the handshake whether a client is paired, accepted, or refused. */
export function admit(state: State, socket: ClientSocket, payload: proto.ClientPayload): void {
  const refusal = state.faults.refusal(payload.userAgent?.appVersion?.tertiary ?? 0)
  const device = knownDevice(state, payload)
  if (refusal) refuse(socket, refusal)
  else if (payload.devicePairingData) startPairing(socket, payload.devicePairingData)
  else if (!device?.noiseKey?.equals(socket.clientStatic)) refuse(socket, { reason: '401' })
  else enter(state, socket, device)
}

/** The client requests its offline messages: sends them and their count. */
export function activate(socket: ClientSocket): void {
  const device = socket.device!
  const missed = device.mailbox.open(stanza => socket.send(stanza))
  socket.send(node('ib', { from: S_WHATSAPP_NET }, [node('offline', { count: `${missed}` })]))
}

/** The phone has unlinked this companion. */
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

function knownDevice(state: State, { username, device }: proto.ClientPayload): Device | undefined {
  return state.directory.account(`${username}`)?.devices.get(device ?? 0)
}

function enter(state: State, socket: ClientSocket, device: Device): void {
  count(state.tally.logins, device.account.number)
  device.kick(node('stream:error', {}, [node('conflict', { type: 'replaced' })]))
  socket.device = device
  device.say = stanza => socket.send(stanza)
  device.kick = (last: BinaryNode) => socket.close(last)
  const t = seconds()
  socket.send(node('success', { t, creation: t, props: '1', lid: deviceJid(device, 'lid'), location: 'loc' }))
}

function refuse(socket: ClientSocket, attrs: { reason: string }): void {
  socket.close(node('failure', { ...attrs, location: 'loc' }))
}
