import { PAGE } from '@balcao/contract/kit.ts'
import type { RawMessageLog } from '@balcao/contract/messageLogs.ts'
import type { PlatformScope, Tx } from '../../platform/scope.ts'
import { and, asc, desc, eq, gt, inArray, isNotNull, or, type SQL, sql as tag } from '../../platform/sql.ts'
import { companies } from '../companies/companies.table.ts'
import { inbox } from '../messages/messages.table.ts'
import { tickets } from '../tickets/tickets.table.ts'
import type { LogRow } from './messageLogs.events.ts'
import { toLog } from './messageLogs.shape.ts'

interface Filter {
  searchParam?: string
  pageNumber?: number
  searchParamWitchError?: string
}

/**
 * The journals of all companies as one list, newest first. Each company's newest are read by its own index: the whole
 * is too large to sort.
 */
export const listLogs = (
  platform: PlatformScope,
  { searchParam = '', pageNumber = 1, searchParamWitchError = '' }: Filter,
): Promise<{ messagesBruteLogs: RawMessageLog[]; hasMore: boolean }> =>
  platform.transaction(async sql => {
    const newest = sql
      .select({ id: inbox.id })
      .from(inbox)
      // in a statement over one table a column is written without its table
      .where(
        and(tag`${inbox}.company_id = ${companies}.id`, saying(searchParam), gone(searchParamWitchError)),
      )
      .orderBy(desc(inbox.id))
      .limit(pageNumber * PAGE + 1)
      .as('newest')
    const page = await sql
      .select({ id: newest.id })
      .from(companies)
      .crossJoinLateral(newest)
      .orderBy(desc(newest.id))
      .offset((pageNumber - 1) * PAGE)
      .limit(PAGE + 1)
    const ids = page.slice(0, PAGE).map(({ id }) => id)
    const rows = await sql.select().from(inbox).where(inArray(inbox.id, ids)).orderBy(desc(inbox.id))
    return { messagesBruteLogs: rows.map(toLog), hasMore: page.length > PAGE }
  })

const saying = (words: string): SQL | undefined =>
  words ? tag`position(${words.toLowerCase()} in lower(${inbox.heard})) > 0` : undefined

function gone(asked: string): SQL | undefined {
  const unknown = asked.includes('unknown')
    ? tag`${inbox.ticketId} is null and ${inbox.failure} = ''`
    : undefined
  const warning = asked.includes('warning') ? tag`${inbox.failure} <> ''` : undefined
  return or(unknown, warning)
}

/** Where a row of the journal stands; null when there is none. */
export const companyOfLog = (platform: PlatformScope, logId: number): Promise<number | null> =>
  platform.transaction(async sql => {
    const [row] = await sql.select({ companyId: inbox.companyId }).from(inbox).where(eq(inbox.id, logId))
    return row?.companyId ?? null
  })

export const companiesWithLogs = (platform: PlatformScope): Promise<number[]> =>
  platform.transaction(async sql => {
    const rows = await sql.selectDistinct({ companyId: inbox.companyId }).from(inbox)
    return rows.map(({ companyId }) => companyId)
  })

export async function lockLog(tx: Tx, logId: number): Promise<LogRow | null> {
  const [row] = await tx.sql
    .select()
    .from(inbox)
    .where(and(eq(inbox.companyId, tx.companyId), eq(inbox.id, logId)))
    .for('update')
  return row ?? null
}

/** Rows since a moment, oldest first; not those whose ticket somebody removed: it must not come back. */
export async function logsSince(tx: Tx, since: string, after: number, limit: number): Promise<number[]> {
  const rows = await tx.sql
    .select({ id: inbox.id })
    .from(inbox)
    .leftJoin(tickets, and(eq(tickets.companyId, inbox.companyId), eq(tickets.id, inbox.ticketId)))
    .where(
      and(
        eq(inbox.companyId, tx.companyId),
        gt(inbox.heardAt, since),
        gt(inbox.id, after),
        or(tag`${inbox.ticketId} is null`, isNotNull(tickets.id)),
      ),
    )
    .orderBy(asc(inbox.id))
    .limit(limit)
  return rows.map(({ id }) => id)
}
