import { PAGE } from '@balcao/contract/kit.ts'
import type { RawMessageLog } from '@balcao/contract/messageLogs.ts'
import type { PlatformScope, Tx } from '../../platform/scope.ts'
import { and, asc, desc, eq, gt, inArray, isNotNull, or, type SQL, sql as tag } from '../../platform/sql.ts'
import { companies } from '../companies/companies.table.ts'
import { inboundEvents } from '../messages/messages.table.ts'
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
      .select({ id: inboundEvents.id })
      .from(inboundEvents)
      // in a statement over one table a column is written without its table
      .where(
        and(
          tag`${inboundEvents}.company_id = ${companies}.id`,
          saying(searchParam),
          gone(searchParamWitchError),
        ),
      )
      .orderBy(desc(inboundEvents.id))
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
    const rows = await sql
      .select()
      .from(inboundEvents)
      .where(inArray(inboundEvents.id, ids))
      .orderBy(desc(inboundEvents.id))
    return { messagesBruteLogs: rows.map(toLog), hasMore: page.length > PAGE }
  })

const saying = (words: string): SQL | undefined =>
  words ? tag`position(${words.toLowerCase()} in lower(${inboundEvents.heard})) > 0` : undefined

function gone(asked: string): SQL | undefined {
  const unknown = asked.includes('unknown')
    ? tag`${inboundEvents.ticketId} is null and ${inboundEvents.failure} = ''`
    : undefined
  const warning = asked.includes('warning') ? tag`${inboundEvents.failure} <> ''` : undefined
  return or(unknown, warning)
}

/** Where a row of the journal stands; null when there is none. */
export const companyOfLog = (platform: PlatformScope, logId: number): Promise<number | null> =>
  platform.transaction(async sql => {
    const [row] = await sql
      .select({ companyId: inboundEvents.companyId })
      .from(inboundEvents)
      .where(eq(inboundEvents.id, logId))
    return row?.companyId ?? null
  })

export const companiesWithLogs = (platform: PlatformScope): Promise<number[]> =>
  platform.transaction(async sql => {
    const rows = await sql.selectDistinct({ companyId: inboundEvents.companyId }).from(inboundEvents)
    return rows.map(({ companyId }) => companyId)
  })

export async function lockLog(tx: Tx, logId: number): Promise<LogRow | null> {
  const [row] = await tx.sql
    .select()
    .from(inboundEvents)
    .where(and(eq(inboundEvents.companyId, tx.companyId), eq(inboundEvents.id, logId)))
    .for('update')
  return row ?? null
}

/** Rows since a moment, oldest first; not those whose ticket somebody removed: it must not come back. */
export async function logsSince(tx: Tx, since: string, after: number, limit: number): Promise<number[]> {
  const rows = await tx.sql
    .select({ id: inboundEvents.id })
    .from(inboundEvents)
    .leftJoin(
      tickets,
      and(eq(tickets.companyId, inboundEvents.companyId), eq(tickets.id, inboundEvents.ticketId)),
    )
    .where(
      and(
        eq(inboundEvents.companyId, tx.companyId),
        gt(inboundEvents.heardAt, since),
        gt(inboundEvents.id, after),
        or(tag`${inboundEvents.ticketId} is null`, isNotNull(tickets.id)),
      ),
    )
    .orderBy(asc(inboundEvents.id))
    .limit(limit)
  return rows.map(({ id }) => id)
}
