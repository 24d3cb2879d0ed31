import { randomUUID } from 'node:crypto'
import type { ChatEventData } from '@balcao/contract/kinds.ts'
import { SENT } from '@balcao/contract/messages.rules.ts'
import { PIN_SECONDS } from '@balcao/contract/messages.ts'
import type { InboundEvent } from '../../../driver.ts'
import { databaseNow, databaseTime } from '../../../platform/clock.ts'
import { externalIdOf } from '../../../platform/external.ts'
import type { Tx } from '../../../platform/scope.ts'
import { messageCreated } from '../messages.events.ts'
import { insertMessages, loadMessage, type MessageRow } from '../messages.queries.ts'
import { deletePin, insertPin } from '../thread/pins.queries.ts'

/** A message is pinned, or not any more (0 seconds), since the network accepted it: a line says who did it. */
export async function applyPin(
  tx: Tx,
  { id: messageId, ticketId, contactId, whatsappId }: MessageRow,
  { id, seconds, userId }: { id: number; seconds: number; userId: number | null },
): Promise<void> {
  const at = databaseTime()
  if (seconds > 0) await insertPin(tx, messageId, { at, until: pinnedUntil(databaseNow(), seconds) })
  else await deletePin(tx, messageId)
  const data: ChatEventData = { what: seconds > 0 ? 'pinned' : 'unpinned', people: [] }
  const line = {
    ...{ id: randomUUID(), companyId: tx.companyId, ticketId, contactId, whatsappId, userId },
    ...{ externalId: externalIdOf(`pin ${id}`), fromMe: true, source: 'person' as const, body: '' },
    ...{ mediaType: 'chat_event', dataJson: JSON.stringify(data), quotedId: messageId },
    ...{ ack: SENT, read: true, createdAt: at },
  }
  const [stored] = await insertMessages(tx, [{ row: line, effect: 'aside' }])
  tx.emit(messageCreated, stored)
}

/** Somebody pinned a message on a phone, or took the pin off; a pin that is over, or of another chat, changes nothing. */
export async function receivePin(
  tx: Tx,
  { event, messageId, contactId }: { event: InboundMessage; messageId: string; contactId: number },
): Promise<void> {
  const { data, at, pinSeconds = USUAL_SECONDS } = event
  const what = data && 'what' in data ? data.what : null
  if (what !== 'pinned' && what !== 'unpinned') return
  // ids are chosen by who writes
  if ((await loadMessage(tx, messageId))?.contactId !== contactId) return
  if (what === 'unpinned') await deletePin(tx, messageId)
  const until = pinnedUntil(Date.parse(at), pinSeconds)
  if (what === 'pinned' && Date.parse(until) > databaseNow()) await insertPin(tx, messageId, { at, until })
}

/** What phones choose first. */
const USUAL_SECONDS = PIN_SECONDS.week

type InboundMessage = Extract<InboundEvent, { kind: 'message' }>

const pinnedUntil = (from: number, seconds: number) => new Date(from + seconds * 1_000).toISOString()
