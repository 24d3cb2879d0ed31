import type { PinnedMessage } from '@balcao/contract/messages.ts'
import { type Scope, type Tx, viewerOf } from '../../../platform/scope.ts'
import { libOf } from '../../connections/connections.queries.ts'
import { findReadable } from '../../tickets/tickets.queries.ts'
import { toMessage } from '../messages.queries.ts'
import { pinnedMessages, pinsOf } from './pins.queries.ts'
import { selectionOf } from './thread.actions.ts'

/** The pinned messages of a conversation, the latest pin first. Refuses as the conversation does. */
export const listPins = (
  scope: Scope,
  ticketId: number,
): Promise<{ pins: PinnedMessage[]; mayPin: boolean }> =>
  scope.list(async tx => {
    const viewer = viewerOf(scope)
    const { whatsappId } = await findReadable(tx, ticketId)
    const selection = { ...selectionOf(viewer), searching: false, onward: null }
    const rows = await pinnedMessages(tx, viewer, ticketId, selection)
    const found = rows.map(toMessage)
    const byId = new Map(found.map(message => [message.id, message]))
    const pins = await pinsOf(tx, [...byId.keys()])
    return {
      pins: pins.map(({ messageId, until }) => ({ ...byId.get(messageId)!, pinnedUntil: until })),
      mayPin: whatsappId !== null && (await mayPin(tx, whatsappId)),
    }
  })

/** Whether a connection pins messages: the official API has no pins. False for one that is gone. */
export async function mayPin(tx: Tx, whatsappId: number): Promise<boolean> {
  const lib = await libOf(tx, whatsappId)
  return lib !== null && lib !== 'cloud'
}
