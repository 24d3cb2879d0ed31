import { ticketHistory, ticketMarks } from '../../features/tickets/tickets.table.ts'
import { savedViews } from '../../features/views/views.table.ts'
import type { Sql } from '../../platform/postgres/db.ts'
import { rowsFrom, sql as tag } from '../../platform/postgres/sql.ts'
import type { Stage } from './write.ts'

interface OpenTicket {
  id: number
  userId: number
  queueId: number
}

/** What the team did to keep its open conversations in order: views, and tickets that are pinned, followed or snoozed. */
export async function writeInbox(sql: Sql, stage: Stage): Promise<void> {
  const [helena, marina, caio] = stage.team.map(({ id }) => id) as [number, number, number]
  const open = await rowsFrom<OpenTicket>(
    sql,
    tag`select id, user_id as "userId", queue_id as "queueId" from tickets
      where company_id = ${stage.companyId} and status = 'open' and queue_id is not null order by updated_at, id`,
  )
  const of = (userId: number) => open.filter(one => one.userId === userId)
  await writeViews(sql, stage, { helena, marina })
  await snooze(sql, stage.companyId, [...of(marina).slice(0, 2), ...of(caio).slice(0, 1)])
  const mark = (userId: number, one: OpenTicket | undefined, how: 'pinnedAt' | 'followedAt') =>
    one
      ? [{ companyId: stage.companyId, userId, ticketId: one.id, [how]: tag`now() - interval '3 hours'` }]
      : []
  await sql
    .insert(ticketMarks)
    .values([
      ...mark(helena, of(helena)[0], 'pinnedAt'),
      ...mark(helena, of(marina)[3], 'followedAt'),
      ...mark(helena, of(caio)[3], 'followedAt'),
      ...mark(marina, of(marina)[4], 'pinnedAt'),
      ...mark(marina, of(caio)[2], 'followedAt'),
    ])
}

function writeViews(
  sql: Sql,
  { companyId, tags, sectors }: Stage,
  { helena, marina }: { helena: number; marina: number },
) {
  const shared = { companyId, userId: helena, shared: true }
  return sql.insert(savedViews).values([
    {
      ...{ ...shared, name: 'Esperando há mais tempo', sort: 'waiting', position: 0 },
      filters: { status: 'open', showAll: true },
    },
    {
      ...{ ...shared, name: 'Vendas sem atendente', position: 1 },
      filters: { status: 'pending', queueIds: [sectors.Vendas] },
    },
    {
      ...{ companyId, userId: helena, name: 'VIP em aberto', position: 2 },
      filters: { status: 'open', showAll: true, tags: [tags.VIP!] },
    },
    {
      ...{ companyId, userId: marina, name: 'Meus não lidos', position: 0 },
      filters: { status: 'open', withUnreadMessages: true },
    },
  ])
}

/** Until tomorrow morning, or the one after that. */
async function snooze(sql: Sql, companyId: number, tickets: OpenTicket[]): Promise<void> {
  if (tickets.length === 0) return
  for (const [at, { id }] of tickets.entries())
    await sql.execute(tag`update tickets
      set snoozed_until = date_trunc('hour', now()) + make_interval(hours => ${18 + 24 * at}::int), version = version + 1
      where company_id = ${companyId} and id = ${id}`)
  await sql.insert(ticketHistory).values(
    tickets.map(({ id: ticketId, userId, queueId }) => ({
      ...{ companyId, ticketId, what: 'snoozed' as const, byUserId: userId },
      ...{ fromStatus: 'open' as const, toStatus: 'open' as const },
      ...{ fromUserId: userId, toUserId: userId, fromQueueId: queueId, toQueueId: queueId },
    })),
  )
}
