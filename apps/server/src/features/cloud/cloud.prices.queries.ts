import { type CloudPriceSum, MAX_PRICE_SUMS } from '@balcao/contract/cloud.ts'
import { and, desc, eq, gte, lte, sql as tag } from '../../platform/postgres/sql.ts'
import type { Tx } from '../../platform/scope.ts'
import { whatsapps } from '../connections/connections.table.ts'
import type { ReportRange } from '../reports/reports.range.queries.ts'
import { cloudPrices as prices } from './cloud.table.ts'

export type PriceRow = Omit<typeof prices.$inferInsert, 'companyId' | 'whatsappId' | 'createdAt'> & {
  deliveredAt: string | null
}

/**
 * Writes what messages cost, once each. The first status that reports a delivery replaces what `sent` reported; every other
 * repetition changes nothing, in whatever order they come.
 */
export async function keepPrices(tx: Tx, whatsappId: number, given: PriceRow[]): Promise<void> {
  await tx.sql
    .insert(prices)
    .values(onceEach(given).map(row => ({ ...row, companyId: tx.companyId, whatsappId })))
    .onConflictDoUpdate({
      target: [prices.companyId, prices.whatsappId, prices.wamid],
      set: {
        category: tag`excluded.category`,
        type: tag`excluded.type`,
        model: tag`excluded.model`,
        billable: tag`excluded.billable`,
        deliveredAt: tag`excluded.delivered_at`,
      },
      setWhere: tag`${prices.deliveredAt} is null and excluded.delivered_at is not null`,
    })
}

/** One statement cannot write a row twice. */
function onceEach(given: PriceRow[]): PriceRow[] {
  const rows = new Map<string, PriceRow>()
  for (const row of given) if (!rows.get(row.wamid)?.deliveredAt) rows.set(row.wamid, row)
  return [...rows.values()]
}

/** How many messages of each connection were delivered, by month of the company's clock, category and whether they cost. */
export const priceSums = (tx: Tx, { from, until, zone }: ReportRange): Promise<CloudPriceSum[]> => {
  const month = tag<string>`to_char(${prices.deliveredAt} at time zone ${zone}, 'YYYY-MM')`
  return tx.sql
    .select({
      month,
      whatsappId: prices.whatsappId,
      connection: whatsapps.name,
      category: prices.category,
      type: prices.type,
      billable: prices.billable,
      messages: tag<number>`count(*)::int`,
    })
    .from(prices)
    .innerJoin(whatsapps, and(eq(whatsapps.companyId, prices.companyId), eq(whatsapps.id, prices.whatsappId)))
    .where(
      and(eq(prices.companyId, tx.companyId), gte(prices.deliveredAt, from), lte(prices.deliveredAt, until)),
    )
    .groupBy(tag`1`, prices.whatsappId, whatsapps.name, prices.category, prices.type, prices.billable)
    .orderBy(desc(tag`1`), whatsapps.name, prices.whatsappId, prices.category, prices.type, prices.billable)
    .limit(MAX_PRICE_SUMS)
}
