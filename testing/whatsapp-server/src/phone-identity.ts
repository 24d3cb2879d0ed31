import { randomBytes } from 'node:crypto'
import { proto, S_WHATSAPP_NET } from 'baileys'
import { type Account, type Device, jidOf } from './directory.ts'
import { node, seconds } from './nodes.ts'
import type { PhoneLine } from './phone-line.ts'
import { announcePicture, hang } from './pictures.ts'

/** Changes or removes the profile picture; the companions of `peers` are notified. */
export function changePicture(
  { state, account }: PhoneLine,
  peers: Account[],
  bytes: Buffer | undefined,
): void {
  account.picture = bytes && hang(state, bytes)
  announcePicture(account, companionsOf(peers))
}

/** The number of a LID becomes known: stanzas carry it from now on, and the companions of `peers` are notified. */
export function revealNumber({ account }: PhoneLine, peers: Account[]): void {
  account.isHidden = false
  const update = { jid: jidOf(account, 'lid'), added_profiles: [jidOf(account, 'pn')] }
  const news = { operation: 'NotificationLinkedProfilesUpdates', updates: [update] }
  const content = [node('mex', {}, Buffer.from(JSON.stringify(news)))]
  const attrs = { from: S_WHATSAPP_NET, type: 'mex', t: seconds() }
  for (const device of companionsOf(peers)) {
    device.mailbox.put(node('notification', { ...attrs, id: randomBytes(6).toString('hex') }, content))
  }
}

/** The mapping that a phone sends its companions when it has learnt whose LID that is. */
export function mappingMessage({ number, lid }: Account): proto.IMessage {
  const pnToLidMappings = [{ pn: Number(number), assignedLid: Number(lid) }]
  const encodedMappingPayload = proto.LIDMigrationMappingSyncPayload.encode({ pnToLidMappings }).finish()
  return {
    protocolMessage: {
      type: proto.Message.ProtocolMessage.Type.LID_MIGRATION_MAPPING_SYNC,
      lidMigrationMappingSyncMessage: { encodedMappingPayload },
    },
  }
}

const companionsOf = (accounts: Account[]): Device[] =>
  accounts.flatMap(({ devices }) => [...devices.values()].filter(({ id }) => id !== 0))
