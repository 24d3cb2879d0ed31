import type { Heard } from '../../driver.ts'
import type { Tx } from '../../platform/scope.ts'
import { recognize } from '../contacts/contacts.actions.ts'
import { nameFromNetwork, removeContactPicture } from '../contacts/contacts.profile.ts'
import { receiveDeletion, receiveEdit, receiveReaction } from './messages.changes.ts'
import { acknowledge, receive } from './messages.receive.ts'

/**
 * Does what a piece of news means, in the caller's transaction; the same news again changes nothing. Answers the
 * ticket it concerns, or that a file has to be fetched before it is done.
 */
export async function understand(
  tx: Tx,
  whatsappId: number,
  heard: Heard,
): Promise<{ ticketId: number | null; missing: boolean }> {
  if (heard.kind !== 'profile') return { ticketId: await ticketOf(tx, whatsappId, heard), missing: false }
  if (heard.name) await nameFromNetwork(tx, heard.chat, heard.name)
  if (heard.picture === null) await removeContactPicture(tx, heard.chat)
  return { ticketId: null, missing: Boolean(heard.picture) }
}

async function ticketOf(tx: Tx, whatsappId: number, heard: Exclude<Heard, { kind: 'profile' }>) {
  switch (heard.kind) {
    case 'message':
      return receive(tx, whatsappId, heard)
    case 'ack':
      return (await acknowledge(tx, whatsappId, [heard]))[0]!
    case 'reaction':
      return receiveReaction(tx, whatsappId, heard)
    case 'edit':
      return receiveEdit(tx, whatsappId, heard)
    case 'delete':
      return receiveDeletion(tx, whatsappId, heard)
    case 'identity':
      await recognize(tx, heard.chat, '')
      return null
    case 'strange':
      return null
  }
}
