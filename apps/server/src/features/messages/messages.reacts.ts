import { and, eq, sql as tag } from 'drizzle-orm'
import { within } from '../../platform/events.ts'
import type { Tx } from '../../platform/scope.ts'
import { connectionLeaving } from '../connections/connections.events.ts'
import { acknowledge } from './messages.receive.ts'
import { messages } from './messages.table.ts'

export const reacts = [within(connectionLeaving, (tx, { whatsappId }) => failWaiting(tx, whatsappId))]

/** What waits in the outbox of a connection that goes will never leave; its authors are told. */
async function failWaiting(tx: Tx, whatsappId: number) {
  const waiting = await tx.sql
    .select({ externalId: messages.externalId })
    .from(messages)
    .where(
      and(
        eq(messages.companyId, tx.companyId),
        eq(messages.whatsappId, whatsappId),
        tag`${messages.outbox} in ('queued', 'sending', 'unknown')`,
      ),
    )
    .orderBy(messages.position)
  const failed = {
    kind: 'ack',
    chat: { kind: 'phone', value: '' },
    ack: 0,
    reason: 'ERR_NO_WAPP_FOUND',
    at: '',
  } as const
  for (const { externalId } of waiting) await acknowledge(tx, whatsappId, { ...failed, externalId })
}
