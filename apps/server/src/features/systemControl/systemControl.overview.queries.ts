import type { PageQuery } from '@balcao/contract/kit.ts'
import {
  type BrokenConnection,
  type CompanySize,
  type FailedSending,
  OVERVIEW_ROWS,
} from '@balcao/contract/systemControl.ts'
import { onePage } from '../../platform/lists/lists.ts'
import type { Sql } from '../../platform/postgres/db.ts'
import { literalLimit, rowsFrom, sql as tag } from '../../platform/postgres/sql.ts'
import { companiesLike } from '../companies/companies.search.queries.ts'
import { companies } from '../companies/companies.table.ts'

/** Of companies that are there and active; the one that broke last on top. */
export async function brokenConnections(sql: Sql): Promise<BrokenConnection[]> {
  const rows = await rowsFrom<BrokenConnection>(
    sql,
    tag`select w.company_id as "companyId", c.name as company, w.id as "whatsappId", w.name, w.status,
          w.status_reason as reason, w.updated_at as since
        from whatsapps w join companies c on c.id = w.company_id
        where c.leaving_at is null and c.status = 1 and w.status <> 'CONNECTED'
          and (w.wanted in ('on', 'renew') or w.status_reason <> '')
        order by w.updated_at desc, w.id limit ${OVERVIEW_ROWS}`,
  )
  return rows.map(row => ({ ...row, since: isoOf(row.since) }))
}

/** Letters of the last 30 days, which is as long as they are kept at most. */
export async function failedSendings(sql: Sql): Promise<FailedSending[]> {
  const rows = await rowsFrom<FailedSending>(
    sql,
    tag`select f.company_id as "companyId", c.name as company, f.kind, f.count, f.since from (
          select company_id, 'mail' as kind, count(*)::int as count, min(created_at) as since from mails
          where created_at > now() - interval '30 days'
            and (state = 'failed' or (state = 'waiting' and created_at < now() - interval '10 minutes'))
          group by company_id
          union all
          select company_id, 'webhook', count(*)::int, min(coalesce(failing_since, failed_at, created_at)) from webhooks
          where failing_since is not null or off_reason <> ''
          group by company_id
        ) f join companies c on c.id = f.company_id
        where c.leaving_at is null
        order by f.since desc, f.company_id, f.kind limit ${OVERVIEW_ROWS}`,
  )
  return rows.map(row => ({ ...row, since: isoOf(row.since) }))
}

/** One page of all companies, the largest first. On a long table messages are those of last night. */
export const companySizes = (sql: Sql, { searchParam, ...asked }: PageQuery) =>
  onePage(asked, async (limit, offset): Promise<CompanySize[]> => {
    const messages = (await isLong(sql)) ? COUNTED_LAST_NIGHT : COUNTED
    const rows = await rowsFrom<CompanySize>(
      sql,
      tag`with shown as materialized (
          select ${companies.id}, ${companies.name}, ${companies.leavingAt}, ${companies.messagesCounted}, f.files,
            coalesce(f.bytes, 0)::float8 as bytes, row_number() over (order by ${LARGEST_FIRST}) as place
          from ${companies} left join company_files f on f.company_id = ${companies.id}
          where ${companies.arrival} is distinct from 'coming' and ${companiesLike(searchParam) ?? tag`true`}
          order by place limit ${limit} offset ${offset}
        ) select c.id as "companyId", c.name as company, coalesce(${messages}, 0)::int as messages,
          coalesce(c.files, 0)::int as files, c.bytes, c.leaving_at as "leavingAt"
        from shown c order by c.place`,
    )
    return rows.map(row => ({ ...row, leavingAt: row.leavingAt && isoOf(row.leavingAt) }))
  })

const LARGEST_FIRST = tag`coalesce(f.bytes, 0) desc, coalesce(${companies.messagesCounted}, 0) desc, ${companies.id}`

export const allCompanies = (sql: Sql) =>
  rowsFrom<{ id: number }>(sql, tag`select id from companies order by id`)

export const countMessagesOf = (sql: Sql, companyId: number) =>
  sql.execute(tag`
    update companies c set messages_counted = m.messages
    from (select count(*)::int as messages from messages where company_id = ${companyId}) m
    where c.id = ${companyId} and c.messages_counted is distinct from m.messages`)

/** Counting millions of rows takes seconds of everybody's disk. */
const LONG = 300_000

async function isLong(sql: Sql): Promise<boolean> {
  const rows = await rowsFrom<{ rows: number }>(
    sql,
    tag`select reltuples::float8 as rows from pg_class where oid = 'messages'::regclass`,
  )
  return rows[0]!.rows > LONG
}

const COUNTED = tag`(select count(*) from messages m where m.company_id = c.id)`
/**
 * Before a company's first night: what ANALYZE found, where it is one of those with most of the rows. Others have fewer than
 * each of these, and are counted, up to a bound.
 */
const COUNTED_LAST_NIGHT = tag`coalesce(c.messages_counted, (
    select share * (select reltuples from pg_class where oid = 'messages'::regclass)
    from pg_stats, unnest(most_common_vals::text::int[], most_common_freqs) as most (company_id, share)
    where schemaname = 'public' and tablename = 'messages' and attname = 'company_id' and most.company_id = c.id
  ), (select count(*) from (select from messages m where m.company_id = c.id limit ${literalLimit(LONG)}) few))`

/** Whether a plan on sale has a price, and a connection sends notices of invoices. */
export async function pricesAndNotices(sql: Sql): Promise<{ prices: boolean; notices: boolean }> {
  const rows = await rowsFrom<{ prices: boolean; notices: boolean }>(
    sql,
    tag`select exists (select from plans where company_id is null and status and value_1_month > 0) as prices,
          exists (select from whatsapps where saas_notification_center) as notices`,
  )
  return rows[0]!
}

const isoOf = (written: string) => new Date(written).toISOString()
