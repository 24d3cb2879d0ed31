import { revenue } from '@balcao/contract/revenue.ts'
import type { Platform } from '../../platform/app.ts'
import { serve } from '../../platform/http/routes.ts'
import type { Sql } from '../../platform/postgres/db.ts'
import { exportInvoices, exportReceipts } from './revenue.export.ts'
import { invoiceTotals } from './revenue.invoices.queries.ts'
import { leadFunnel, listLeads } from './revenue.leads.queries.ts'
import { listCompanyInvoices, listReceipts } from './revenue.lists.queries.ts'
import { revenueMonths, revenueRows, todayIn } from './revenue.months.queries.ts'
import { listSubscribers, planShares } from './revenue.subscribers.queries.ts'

const MONTHS = 12

/** Reads of all companies, on the day of the operator’s time zone. */
const today = <T>(
  { scopes, config }: Platform,
  read: (sql: Sql, at: { today: string; zone: string }) => Promise<T>,
): Promise<T> =>
  scopes.platform().transaction(async sql => {
    const zone = config.tzDefault
    return read(sql, { today: await todayIn(sql, zone), zone })
  })

export const routes = [
  serve(revenue.months, (_scope, { query: { months = MONTHS } }, { platform }) =>
    today(platform, async (sql, at) => ({ months: await revenueMonths(sql, { months, ...at }) })),
  ),
  serve(revenue.rows, (_scope, { query }, { platform }) =>
    today(platform, (sql, { today }) => revenueRows(sql, { ...query, today })),
  ),
  serve(revenue.plans, (_scope, _input, { platform }) => today(platform, planShares)),
  serve(revenue.subscribers, (_scope, { query }, { platform }) =>
    today(platform, (sql, at) => listSubscribers(sql, { ...query, ...at })),
  ),
  serve(revenue.funnel, (_scope, _input, { platform }) =>
    today(platform, async (sql, at) => ({ months: await leadFunnel(sql, at) })),
  ),
  serve(revenue.leads, (_scope, { query }, { platform }) =>
    today(platform, (sql, { zone }) => listLeads(sql, { ...query, zone })),
  ),
  serve(revenue.invoices, (_scope, { query }, { platform }) => {
    const all = platform.scopes.platform()
    return all.transaction(sql => listCompanyInvoices(all, sql, query, query))
  }),
  serve(revenue.invoiceTotals, (_scope, { query }, { platform: { scopes } }) =>
    scopes.platform().transaction(sql => invoiceTotals(sql, query)),
  ),
  serve(revenue.receipts, (_scope, { query }, { platform: { scopes, config } }) => {
    const all = scopes.platform()
    return all.transaction(sql => listReceipts(all, sql, { ...query, zone: config.tzDefault }, query))
  }),
  serve(revenue.exportInvoices, (scope, { query }, { platform: { scopes, files } }) => {
    const { decimals, language, ...filter } = query
    return exportInvoices({ scope, platform: scopes.platform(), files }, filter, { decimals, language })
  }),
  serve(revenue.exportReceipts, (scope, { query }, { platform: { scopes, files, config } }) => {
    const { decimals, language, ...filter } = query
    const asked = { ...filter, zone: config.tzDefault }
    return exportReceipts({ scope, platform: scopes.platform(), files }, asked, { decimals, language })
  }),
]
