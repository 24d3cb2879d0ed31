import { randomBytes } from 'node:crypto'
import { type Account, type Device, jidOf } from './directory.ts'
import { groupOf } from './groups.ts'
import { attr, type BinaryNode, firstChild, node, seconds } from './nodes.ts'
import type { State } from './state.ts'

/** A profile picture that lies on the media host, open to whoever knows its address. */
export interface Picture {
  id: string
  directPath: string
}

/** Puts a picture on the media host. */
export function hang({ media }: State, bytes: Buffer): Picture {
  return { id: `${Date.now()}`, directPath: media.store.put(bytes, 'jpg') }
}

/** Answers a request for the picture of a person or a group: 404 without one, 401 when it is hidden. */
export function describePicture(state: State, stanza: BinaryNode): BinaryNode[] {
  const target = attr(stanza, 'target')
  const owner = groupOf(state, target) ?? state.directory.account(target)
  if (!owner?.picture) return [node('error', { code: '404', text: 'item-not-found' })]
  if ('hidesPicture' in owner && owner.hidesPicture)
    return [node('error', { code: '401', text: 'not-authorized' })]
  const { id, directPath } = owner.picture
  const { type = 'preview' } = firstChild(stanza)!.attrs
  return [node('picture', { id, type, url: state.media.url(directPath), direct_path: directPath })]
}

/** Notifies these devices of a changed or removed picture. */
export function announcePicture(account: Account, devices: Device[]): void {
  const jid = jidOf(account, 'lid')
  const change = account.picture ? node('set', { jid, id: account.picture.id }) : node('delete', { jid })
  const attrs = { from: jid, type: 'picture', t: seconds() }
  for (const device of devices) {
    device.mailbox.put(node('notification', { ...attrs, id: randomBytes(6).toString('hex') }, [change]))
  }
}
