import { randomBytes } from 'node:crypto'
import { S_WHATSAPP_NET } from 'baileys'
import type { Device, DeviceKeys, SignedKey } from './directory.ts'
import { attr, type BinaryNode, child, childBytes, children, firstChild, node, seconds } from './nodes.ts'
import type { State } from './state.ts'

/** Below this many one-time keys the server asks for more. */
const LOW_KEYS = 5
const CURVE25519 = Buffer.from([5])

/**
 * How many one-time keys a device has here. With none, clients upload 812; with `fewKeys` the server reports one left,
 * and they upload five.
 */
export function keyCount({ fewKeys }: State, device: Device): BinaryNode[] {
  const count = device.keys.preKeys.length
  return [node('count', { value: `${fewKeys ? Math.max(count, 1) : count}` })]
}

/** Keeps the one-time keys of an upload; they add to those that are left. */
export function uploadKeys(device: Device, stanza: BinaryNode): BinaryNode[] {
  const uploaded = keysOf(stanza, stanza, child(stanza, 'list'))
  device.keys = { ...uploaded, preKeys: [...device.keys.preKeys, ...uploaded.preKeys] }
  return []
}

/** The keys that an upload or a retry receipt carries; the receipt keeps the registration outside its bundle. */
export function keysOf(
  stanza: BinaryNode,
  bundle: BinaryNode,
  list: BinaryNode | undefined = bundle,
): DeviceKeys {
  return {
    registrationId: childBytes(stanza, 'registration'),
    identity: childBytes(bundle, 'identity'),
    signedPreKey: signedKey(child(bundle, 'skey')),
    preKeys: children(list, 'key').map(key => ({
      id: childBytes(key, 'id'),
      value: childBytes(key, 'value'),
    })),
  }
}

export function rotateKey(device: Device, stanza: BinaryNode): BinaryNode[] {
  device.keys.signedPreKey = signedKey(child(firstChild(stanza), 'skey'))
  return []
}

/** Baileys only wants to see that there is a digest; a client that compares it would need the real one. */
export function digest(device: Device): BinaryNode[] {
  const { registrationId, identity } = device.keys
  return [node('digest', {}, [node('registration', {}, registrationId), node('identity', {}, identity)])]
}

/** What is needed to begin a session with each named device; uses up one of its one-time keys. */
export function keyBundles(state: State, stanza: BinaryNode): BinaryNode[] {
  const users = children(firstChild(stanza), 'user').map(user => {
    const jid = attr(user, 'jid')
    const device = state.directory.device(jid)
    return device ? bundle(jid, storeKeys(device)) : node('user', { jid }, [node('error', { code: '404' })])
  })
  return [node('list', {}, users)]
}

/** A device's keys with at most one one-time key, which is then removed. */
export function storeKeys(device: Device): DeviceKeys {
  const { keys } = device
  const preKeys = keys.preKeys.splice(0, 1)
  if (device.noiseKey && preKeys.length > 0 && keys.preKeys.length === LOW_KEYS - 1) askForKeys(device)
  return { ...keys, preKeys }
}

function askForKeys(device: Device): void {
  const count = node('count', { value: `${device.keys.preKeys.length}` })
  const id = randomBytes(6).toString('hex')
  const attrs = { from: S_WHATSAPP_NET, type: 'encrypt', id, t: seconds() }
  device.mailbox.put(node('notification', attrs, [count]))
}

function bundle(jid: string, keys: DeviceKeys): BinaryNode {
  const { id, value, signature } = keys.signedPreKey
  const named = (of: { id: Buffer; value: Buffer }) => [node('id', {}, of.id), node('value', {}, of.value)]
  return node('user', { jid, t: seconds() }, [
    node('registration', {}, keys.registrationId),
    node('type', {}, CURVE25519),
    node('identity', {}, keys.identity),
    node('skey', {}, [...named({ id, value }), node('signature', {}, signature)]),
    ...keys.preKeys.map(key => node('key', {}, named(key))),
  ])
}

function signedKey(skey: BinaryNode | undefined): SignedKey {
  return {
    id: childBytes(skey, 'id'),
    value: childBytes(skey, 'value'),
    signature: childBytes(skey, 'signature'),
  }
}
