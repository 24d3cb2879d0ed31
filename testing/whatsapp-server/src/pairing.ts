import { randomBytes } from 'node:crypto'
import { jidDecode, proto, S_WHATSAPP_NET } from 'baileys'
import type { ClientSocket } from './client-socket.ts'
import { type Account, type Device, type DeviceKeys, deviceJid, makeDevice } from './directory.ts'
import { attr, type BinaryNode, child, childBytes, node, seconds } from './nodes.ts'
import type { State } from './state.ts'
import { until } from './wait.ts'

/** The number of QR codes a client may show before it gives up. */
const REFS = 6

type Registration = proto.ClientPayload.IDevicePairingRegistrationData

/** What the server knows of a client that waits to be paired. */
export interface Pairing {
  refs: string[]
  registration: Registration
  /** Present once the client has requested a pairing code. */
  code?: CodePairing
}

interface CodePairing {
  number: string
  ref: Buffer
  /** salt (32), iv (16), the client's ephemeral key encrypted with the code. */
  wrappedEphemeral: Buffer
  finish: Promise<BinaryNode>
  finished(stanza: BinaryNode): void
}

/** Offers QR references to a client that has no identity yet. */
export function startPairing(socket: ClientSocket, registration: Registration): void {
  const refs = Array.from({ length: REFS }, () => `2@${randomBytes(24).toString('base64url')}`)
  socket.pairing = { refs, registration }
  const pairDevice = node(
    'pair-device',
    {},
    refs.map(ref => node('ref', {}, Buffer.from(ref))),
  )
  socket.ask('set', 'md', [pairDevice]).catch(() => {})
}

/** The client asks for a pairing code, or ends what the phone has begun. Returns the answer's content. */
export function receiveLinkCode(socket: ClientSocket, stanza: BinaryNode): BinaryNode[] {
  const step = child(stanza, 'link_code_companion_reg')!
  const { pairing } = socket
  if (!pairing) throw new Error('a client that is logged in asks for a pairing code')
  if (step.attrs.stage === 'companion_finish') {
    pairing.code?.finished(step)
    return []
  }
  const { promise: finish, resolve: finished } = Promise.withResolvers<BinaryNode>()
  const ref = randomBytes(16)
  pairing.code = {
    number: jidDecode(attr(step, 'jid'))!.user,
    ref,
    wrappedEphemeral: childBytes(step, 'link_code_pairing_wrapped_companion_ephemeral_pub'),
    finish,
    finished,
  }
  const linkRef = node('link_code_pairing_ref', {}, ref)
  return [node('link_code_companion_reg', { stage: 'companion_hello' }, [linkRef])]
}

/** Sends the client the phone's answer to its code. */
export function sendPrimaryHello(socket: ClientSocket, wrappedEphemeral: Buffer, identity: Buffer): void {
  const hello = node('link_code_companion_reg', { stage: 'primary_hello' }, [
    node('link_code_pairing_wrapped_primary_ephemeral_pub', {}, wrappedEphemeral),
    node('primary_identity_pub', {}, identity),
    node('link_code_pairing_ref', {}, socket.pairing!.code!.ref),
  ])
  const attrs = {
    from: S_WHATSAPP_NET,
    type: 'link_code_companion_reg',
    id: randomBytes(6).toString('hex'),
  }
  socket.send(node('notification', { ...attrs, t: seconds() }, [hello]))
}

/**
 * Makes the client a companion of the account: it signs, is registered, and is instructed to restart (515). Rejects
 * when the client disconnects before it has signed.
 * @param prove the phone's signed device identity for this key index
 */
export async function completePairing(
  socket: ClientSocket,
  account: Account,
  prove: (keyIndex: number) => Uint8Array,
): Promise<Device> {
  const { registration } = socket.pairing!
  account.lastDeviceId += 1
  const device = makeDevice(account, account.lastDeviceId, {
    noiseKey: socket.clientStatic,
    keys: registeredKeys(registration),
    wantsFullHistory:
      proto.DeviceProps.decode(registration.deviceProps ?? new Uint8Array()).requireFullSync === true,
  })
  const success = node('pair-success', {}, [
    node('device-identity', {}, prove(device.id)),
    node('device', { jid: deviceJid(device, 'pn'), lid: deviceJid(device, 'lid') }),
    node('platform', { name: 'android' }),
  ])
  const answer = await socket.ask('set', 'md', [success])
  if (!child(child(answer, 'pair-device-sign'), 'device-identity')) {
    throw new Error('the client did not sign its device identity')
  }
  account.devices.set(device.id, device)
  socket.close(node('stream:error', { code: '515' }))
  return device
}

/** The client that waits with this QR code or pairing code. Throws when none has turned up within two seconds. */
export async function findUnpaired(
  state: State,
  matches: (pairing: Pairing) => boolean,
): Promise<ClientSocket> {
  const waits = ({ pairing, isClosed }: ClientSocket) => pairing && !isClosed && matches(pairing)
  return until('a client that can be paired with this code', () => [...state.sockets].find(waits), 2_000)
}

function registeredKeys(from: Registration): DeviceKeys {
  return {
    registrationId: Buffer.from(from.eRegid!),
    identity: Buffer.from(from.eIdent!),
    signedPreKey: {
      id: Buffer.from(from.eSkeyId!),
      value: Buffer.from(from.eSkeyVal!),
      signature: Buffer.from(from.eSkeySig!),
    },
    preKeys: [],
  }
}
