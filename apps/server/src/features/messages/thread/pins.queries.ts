import type { Viewer } from '@balcao/contract/permissions.rules.ts'
import { and, desc, eq, gt, inArray, lte, sql as tag } from '../../../platform/postgres/sql.ts'
import type { Tx } from '../../../platform/scope.ts'
import { isReadable } from '../../tickets/lists/visibility.queries.ts'
import { selectMessages } from '../messages.queries.ts'
import { messagePins, messages } from '../messages.table.ts'
import { isPart, type Selection } from './thread.queries.ts'

/** WhatsApp shows three of a chat; those of other connections come in addition. */
const MOST_PINS = 20

/** Pins a message from now on; what is over of the company is deleted with it. */
export async function insertPin(tx: Tx, messageId: string, { at, until }: { at: string; until: string }) {
  const { companyId } = tx
  await tx.sql
    .delete(messagePins)
    .where(and(eq(messagePins.companyId, companyId), lte(messagePins.until, tag`now()`)))
  await tx.sql
    .insert(messagePins)
    .values({ companyId, messageId, pinnedAt: at, until })
    .onConflictDoUpdate({
      target: [messagePins.companyId, messagePins.messageId],
      set: { pinnedAt: at, until },
    })
}

export const deletePin = (tx: Tx, messageId: string) =>
  tx.sql
    .delete(messagePins)
    .where(and(eq(messagePins.companyId, tx.companyId), eq(messagePins.messageId, messageId)))

/** The pinned messages of a conversation that the viewer may read, the newest first. */
export function pinnedMessages(tx: Tx, viewer: Viewer, ticketId: number, selection: Selection) {
  return selectMessages(tx.sql)
    .where(
      and(
        isPart(selection, { companyId: tx.companyId, ticketId, viewerId: viewer.id, words: '', term: '' }),
        inArray(messages.id, activePins(tx)),
        eq(messages.isDeleted, false),
        isReadable(tx.companyId, viewer),
      ),
    )
    .orderBy(desc(messages.position))
    .limit(MOST_PINS)
}

const isActive = (tx: Tx) => and(eq(messagePins.companyId, tx.companyId), gt(messagePins.until, tag`now()`))

const activePins = (tx: Tx) =>
  tx.sql.select({ id: messagePins.messageId }).from(messagePins).where(isActive(tx))

/** Until when messages are pinned, the latest pin first. */
export const pinsOf = (tx: Tx, messageIds: string[]) =>
  tx.sql
    .select({ messageId: messagePins.messageId, until: messagePins.until })
    .from(messagePins)
    .where(and(isActive(tx), inArray(messagePins.messageId, messageIds)))
    .orderBy(desc(messagePins.pinnedAt))
