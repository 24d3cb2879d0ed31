import { PAGE } from '@balcao/contract/kit.ts'
import type { RawMessageLog } from '@balcao/contract/messageLogs.ts'
import { folded } from '@balcao/contract/words.rules.ts'
import {
  and,
  asc,
  desc,
  eq,
  gt,
  inArray,
  isNotNull,
  or,
  type SQL,
  sql as tag,
} from '../../platform/postgres/sql.ts'
import type { PlatformScope, Tx } from '../../platform/scope.ts'
import { companies } from '../companies/companies.table.ts'
import { inboundEvents } from '../messages/messages.log.table.ts'
import { tickets } from '../tickets/tickets.table.ts'
import type { LogRow } from './messageLogs.events.ts'
import { toLog } from './messageLogs.rules.ts'

interface Filter {
  searchParam?: string
  pageNumber?: number
  searchParamWitchError?: string
}

/**
 * The journals of all companies as one list, newest first. The newest of each company are read by its index: all rows are
 * too many to sort.
 */
export const listLogs = (
  platform: PlatformScope,
  { searchParam = '', pageNumber = 1, searchParamWitchError = '' }: Filter,
): Promise<{ messagesBruteLogs: RawMessageLog[]; hasMore: boolean }> =>
  platform.transaction(async sql => {
    const newest = sql
      .select({ id: inboundEvents.id })
      .from(inboundEvents)
      // `${inboundEvents}.company_id`: a bare column would be ambiguous
      .where(
        and(
          tag`${inboundEvents}.company_id = ${companies}.id`,
          containing(searchParam),
          failed(searchParamWitchError),
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

const containing = (text: string): SQL | undefined =>
  text
    ? tag`${inboundEvents.event} ~ (select folded_pattern(${text})) and position(${folded(text)} in folded(${inboundEvents.event})) > 0`
    : undefined

function failed(filter: string): SQL | undefined {
  const unknown = filter.includes('unknown')
    ? tag`${inboundEvents.ticketId} is null and ${inboundEvents.failure} = ''`
    : undefined
  const warning = filter.includes('warning') ? tag`${inboundEvents.failure} <> ''` : undefined
  return or(unknown, warning)
}

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

/** Rows since a time, oldest first, without those whose ticket was deleted, which must not be added again. */
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
        gt(inboundEvents.receivedAt, since),
        gt(inboundEvents.id, after),
        or(tag`${inboundEvents.ticketId} is null`, isNotNull(tickets.id)),
      ),
    )
    .orderBy(asc(inboundEvents.id))
    .limit(limit)
  return rows.map(({ id }) => id)
}
