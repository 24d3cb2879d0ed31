import { S_WHATSAPP_NET } from 'baileys'
import type { ClientSocket } from './client-socket.ts'
import type { Device } from './directory.ts'
import { describeGroup, describeGroups } from './groups.ts'
import { digest, keyBundles, keyCount, rotateKey, uploadKeys } from './key-queries.ts'
import { activate, removeDevice } from './login.ts'
import { attr, type BinaryNode, children, firstChild, node } from './nodes.ts'
import { describeOrder } from './orders.ts'
import { receiveLinkCode } from './pairing.ts'
import { describePicture } from './pictures.ts'
import { standingsOf } from './restrictions.ts'
import type { State } from './state.ts'
import { answerUsync } from './usync.ts'

interface Query {
  state: State
  device: Device
  stanza: BinaryNode
}

/** Answers with the content of the result, or with an `<error>`; `undefined` means not implemented. */
type Answer = (query: Query) => BinaryNode[] | undefined

/** Every query that a logged-in client may make, as `xmlns type child`. */
const ANSWERS: Record<string, Answer> = {
  'encrypt get count': ({ state, device }) => keyCount(state, device),
  'encrypt set registration': ({ device, stanza }) => uploadKeys(device, stanza),
  'encrypt get digest': ({ device }) => digest(device),
  'encrypt get key': ({ state, stanza }) => keyBundles(state, stanza),
  'encrypt set rotate': ({ device, stanza }) => rotateKey(device, stanza),
  'abt get props': () => [node('props', { protocol: '1', hash: 'none', refresh: '86400' })],
  'blocklist get': () => [node('list')],
  'privacy get privacy': () => [
    node('privacy', {}, [node('category', { name: 'readreceipts', value: 'all' })]),
  ],
  'privacy set tokens': () => [node('tokens')],
  'w:p get ping': () => [],
  'usync get usync': ({ state, stanza }) => answerUsync(state, stanza),
  'w:sync:app:state set sync': ({ stanza }) => [emptyCollections(firstChild(stanza)!)],
  'w:mex get query': ({ device, stanza }) => accountStanding(device, firstChild(stanza)!),
  'w:profile:picture get picture': ({ state, stanza }) => describePicture(state, stanza),
  'urn:xmpp:whatsapp:dirty set clean': () => [],
  'w:m set media_conn': ({ state }) => [state.media.connection()],
  'w:g2 get query': ({ state, device, stanza }) => describeGroup(state, device.account, stanza),
  'w:g2 get participating': ({ state, device }) => describeGroups(state, device.account),
  'fb:thrift_iq get order': ({ state, stanza }) => describeOrder(state, stanza),
  'w:stats undefined add': () => [],
  'passive set active': () => [],
  'md set remove-companion-device': () => [],
}

/** What follows an answer. */
const CONSEQUENCES: Record<string, (socket: ClientSocket, device: Device) => void> = {
  'passive set active': socket => activate(socket),
  'md set remove-companion-device': (_, device) => removeDevice(device),
}

/** Answers a client's query. An unknown one is answered with 501 and written down, which fails the test. */
export function answerQuery(state: State, socket: ClientSocket, stanza: BinaryNode): void {
  const name = `${stanza.attrs.xmlns} ${stanza.attrs.type} ${firstChild(stanza)?.tag ?? ''}`.trim()
  const { device } = socket
  const content = device ? ANSWERS[name]?.({ state, device, stanza }) : answerUnpaired(socket, name, stanza)
  if (content) reply(socket, stanza, content)
  else refuse(state, socket, stanza)
  if (content && device) CONSEQUENCES[name]?.(socket, device)
}

function answerUnpaired(socket: ClientSocket, name: string, stanza: BinaryNode): BinaryNode[] | undefined {
  // a client that shows a code for longer than 30 s pings the connection
  if (name === 'w:p get ping') return []
  return name === 'md set link_code_companion_reg' ? receiveLinkCode(socket, stanza) : undefined
}

function refuse(state: State, socket: ClientSocket, stanza: BinaryNode): void {
  state.unknown.push({ from: socket.device?.account.number ?? 'unpaired', stanza })
  const error = node('error', { code: '501', text: 'feature-not-implemented' })
  socket.send(node('iq', { from: S_WHATSAPP_NET, type: 'error', id: attr(stanza, 'id') }, [error]))
}

function reply(socket: ClientSocket, stanza: BinaryNode, content: BinaryNode[]): void {
  const type = content[0]?.tag === 'error' ? 'error' : 'result'
  socket.send(node('iq', { from: stanza.attrs.to, type, id: attr(stanza, 'id') }, content))
}

function emptyCollections(sync: BinaryNode): BinaryNode {
  const collections = children(sync, 'collection').map(({ attrs }) =>
    node('collection', { name: attrs.name, version: attrs.version, type: 'result' }),
  )
  return node('sync', {}, collections)
}

function accountStanding({ account }: Device, query: BinaryNode): BinaryNode[] | undefined {
  const data = standingsOf(account)[attr(query, 'query_id')]
  return data && [node('result', {}, Buffer.from(JSON.stringify({ data })))]
}
