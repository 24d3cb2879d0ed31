import type { Tx } from '../../platform/scope.ts'
import { and, eq, sql as tag } from '../../platform/sql.ts'
import { findConnection } from '../connections/connections.queries.ts'
import { tickets } from './tickets.table.ts'

/**
 * Until when a contact may be written to freely on a connection: null where nothing limits it. On the official API a
 * day after the contact last wrote there, which earlier tickets remember; who never did is written to by templates.
 */
export async function repliesUntilOn(
  tx: Tx,
  contactId: number,
  whatsappId: number | null,
): Promise<string | null> {
  if (whatsappId === null || (await findConnection(tx, whatsappId)).lib !== 'cloud') return null
  const [known] = await tx.sql
    .select({ until: tag<string | null>`max(${tickets.repliesUntil})`.mapWith(tickets.repliesUntil) })
    .from(tickets)
    .where(
      and(
        eq(tickets.companyId, tx.companyId),
        eq(tickets.contactId, contactId),
        eq(tickets.whatsappId, whatsappId),
      ),
    )
  return known?.until ?? new Date().toISOString()
}
