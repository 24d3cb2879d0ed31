import { ticketMarks, tickets } from '../../features/tickets/tickets.table.ts'
import { savedViews } from '../../features/views/views.table.ts'
import { databaseNow } from '../../platform/clock.ts'
import type { Sql } from '../../platform/postgres/db.ts'
import { and, eq } from '../../platform/postgres/sql.ts'
import type { PastTicket } from './past.ts'
import type { Stage } from './write.ts'

const DAY_MS = 86_400_000

/** How the team orders its work: tickets are put aside, pinned and followed; views for all and of some. */
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
  const [, pinnedByMarina] = openOf(marina)
  const snoozedUntil = new Date(databaseNow() + DAY_MS).toISOString()
  if (aside)
    await sql
      .update(tickets)
      .set({ snoozedUntil })
      .where(and(eq(tickets.companyId, companyId), eq(tickets.id, aside)))
  const at = new Date(databaseNow()).toISOString()
  const marks = [
    { userId: manager!, ticketId: pinned, pinnedAt: at },
    { userId: manager!, ticketId: followed, followedAt: at },
    { userId: marina!, ticketId: pinnedByMarina, pinnedAt: at },
    { userId: marina!, ticketId: followed, followedAt: at },
  ].flatMap(({ ticketId, ...mark }) => (ticketId ? [{ companyId, ticketId, ...mark }] : []))
  if (marks.length > 0) await sql.insert(ticketMarks).values(marks)
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
      ...{ companyId, userId: manager!, name: 'VIP em aberto', position: 2 },
      filters: { tab: 'search', searchTicketStatus: 'open', tags: [tags.VIP!] },
    },
    {
      ...{ companyId, userId: marina!, name: 'Trocas', position: 2 },
      filters: { tab: 'search', searchTicketStatus: 'open', tags: [tags.Troca!] },
    },
  ])
}
