import type { CollectorName } from '@balcao/contract/collectors.ts'
import type { ProviderNews as ShownNews } from '@balcao/contract/payments.ts'
import type { ReportedNews } from '../../payments/payments.ts'
import { refuse } from '../../platform/errors.ts'
import { onePage } from '../../platform/lists/lists.ts'
import type { Sql } from '../../platform/postgres/db.ts'
import { eq, rowsFrom, sql as tag } from '../../platform/postgres/sql.ts'
import { lifetime } from '../../platform/work/retention.ts'
import { providerNews } from './payments.news.table.ts'

/** Keeps what a provider reported; the same of one subject is one row, which is unread again. Idempotent. */
export const keepNews = (
  sql: Sql,
  provider: CollectorName,
  {
    eventId,
    event,
    kind,
    subject,
    detail,
  }: Pick<ReportedNews, 'eventId' | 'event' | 'kind' | 'subject' | 'detail'>,
) =>
  sql
    .insert(providerNews)
    .values({ provider, eventId, event, kind, subject, detail })
    .onConflictDoUpdate({
      target: [providerNews.provider, providerNews.event, providerNews.subject],
      set: {
        ...{ eventId, kind, detail, readAt: null, at: tag`now()` },
        times: tag`least(${providerNews.times} + 1, 1000000)`,
      },
      setWhere: tag`${providerNews.eventId} <> ${eventId}`,
    })

/** What no master has read. */
export async function unreadNews(sql: Sql, pageNumber: number | undefined) {
  const { rows, hasMore } = await onePage({ pageNumber }, (limit, offset) =>
    rowsFrom<ShownNews>(
      sql,
      tag`select n.id, n.provider, n.kind, n.event, n.subject, n.detail, n.times,
          coalesce((select c.name from charges h join companies c on c.id = h.company_id
            where h.provider = n.provider and h.charge_id = n.subject), '') as "companyName",
          to_char(n.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at
        from provider_news n where n.read_at is null
        order by n.at desc, n.id desc limit ${limit} offset ${offset}`,
    ),
  )
  return { news: rows, hasMore }
}

/** Refuses with ERR_NOT_FOUND. */
export async function readNews(sql: Sql, newsId: number): Promise<void> {
  const read = await sql
    .update(providerNews)
    .set({ readAt: tag`coalesce(${providerNews.readAt}, now())` })
    .where(eq(providerNews.id, newsId))
    .returning({ id: providerNews.id })
  if (read.length === 0) refuse('ERR_NOT_FOUND')
}

/** Days, counted from the last time that it was reported. */
export const newsLifetimes = [lifetime(providerNews, providerNews.at, 365)]
