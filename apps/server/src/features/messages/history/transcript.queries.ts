import { MOST_TRANSCRIBED } from '@balcao/contract/transcripts.ts'
import { and, desc, eq, sql as tag } from '../../../platform/postgres/sql.ts'
import type { Tx } from '../../../platform/scope.ts'
import { zoneOf } from '../../companies/companies.queries.ts'
import { companies } from '../../companies/companies.table.ts'
import { tickets } from '../../tickets/tickets.table.ts'
import { messages } from '../messages.table.ts'

/** The message, no note, after which the newest ones begin, as many as a PDF holds; undefined where all of them fit. */
export async function lastLeftOut(tx: Tx, ticketId: number) {
  const [row] = await tx.sql
    .select({ ticketId: messages.ticketId, position: messages.position, id: messages.id })
    .from(messages)
    .where(
      and(
        eq(messages.companyId, tx.companyId),
        eq(messages.ticketId, ticketId),
        eq(messages.isPrivate, false),
      ),
    )
    .orderBy(desc(messages.position), desc(messages.id))
    .offset(MOST_TRANSCRIBED)
    .limit(1)
  return row
}

/** The company's name, and when the ticket was created, in days of the company's zone. */
export async function transcriptHead(tx: Tx, ticketId: number) {
  const [row] = await tx.sql
    .select({
      company: companies.name,
      openedAt: tag<number>`(extract(epoch from ${tickets.createdAt} at time zone ${zoneOf(tx)}) / 86400 + 25569)::float8`,
    })
    .from(tickets)
    .innerJoin(companies, eq(companies.id, tickets.companyId))
    .where(and(eq(tickets.companyId, tx.companyId), eq(tickets.id, ticketId)))
  return row!
}
