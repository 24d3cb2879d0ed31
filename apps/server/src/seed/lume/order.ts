import { ticketMarks, tickets } from '../../features/tickets/tickets.table.ts'
import { savedViews } from '../../features/views/views.table.ts'
import { databaseNow } from '../../platform/clock.ts'
import type { Sql } from '../../platform/postgres/db.ts'
import { and, eq } from '../../platform/postgres/sql.ts'
import type { PastTicket } from './past.ts'
import type { Stage } from './write.ts'

const DAY_MS = 86_400_000

/** How the team orders its work: one ticket is put aside, one pinned, one followed; views for all and of one attendant. */
export async function writeOrder(sql: Sql, stage: Stage, story: PastTicket[], ids: Map<string, number>) {
  const { companyId, team, sectors, tags } = stage
  const [manager, marina, ...others] = team.map(({ id }) => id)
  const openOf = (userId: number | undefined) =>
    story
      .filter(({ status, owner }) => status === 'open' && owner !== null && team[owner]!.id === userId)
      .sort((a, b) => a.updatedAt - b.updatedAt)
      .map(({ uuid }) => ids.get(uuid)!)
  const [aside, followed] = openOf(others[0])
  const [pinned] = openOf(manager)
  const snoozedUntil = new Date(databaseNow() + DAY_MS).toISOString()
  if (aside)
    await sql
      .update(tickets)
      .set({ snoozedUntil })
      .where(and(eq(tickets.companyId, companyId), eq(tickets.id, aside)))
  const at = new Date(databaseNow()).toISOString()
  const marks = [
    ...(pinned ? [{ ticketId: pinned, pinnedAt: at }] : []),
    ...(followed ? [{ ticketId: followed, followedAt: at }] : []),
  ]
  if (marks.length > 0)
    await sql.insert(ticketMarks).values(marks.map(mark => ({ companyId, userId: manager!, ...mark })))
  await sql.insert(savedViews).values([
    {
      ...{ companyId, userId: manager!, shared: true, name: 'Financeiro esperando' },
      filters: { status: 'pending', queueIds: [sectors.Financeiro] },
      sort: 'waiting',
    },
    {
      ...{ companyId, userId: manager!, shared: true, name: 'Com mensagens não lidas', position: 1 },
      filters: { status: 'open', withUnreadMessages: true },
    },
    {
      ...{ companyId, userId: marina!, name: 'Trocas', position: 2 },
      filters: { tab: 'search', searchTicketStatus: 'open', tags: [tags.Troca!] },
    },
  ])
}
