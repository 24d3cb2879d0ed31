import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { snapshotsIn } from '../feature/migration.ts'
import type { Rule } from './codebase.ts'

/**
 * Keys of tenant tables without `company_id`, and why. Where a database is spread over servers by `company_id`
 * (docs/scale.md) no server can promise them alone: these tables stay on one, and none is written with each message.
 */
const LOOKED_UP = 'looked up before the company is known, by a secret, an address or the id in a link'
const OF_PROVIDER = 'accounting of the operator: looked up by what a payment provider calls it'
const OF_OPERATOR = 'a row of the operator, who sells to all companies'
const exceptions: Record<string, string> = {
  'account_links: account_links_id': LOOKED_UP,
  'api_tokens: api_tokens_hash': LOOKED_UP,
  'campaign_setups: campaign_setups_token': LOOKED_UP,
  'company_exports: company_exports_id': LOOKED_UP,
  'invitations: invitations_link': LOOKED_UP,
  'leads: leads_key': LOOKED_UP,
  'leads: primary key': LOOKED_UP,
  'notification_contacts: notification_contacts_id': LOOKED_UP,
  'push_subscriptions: push_subscriptions_endpoint': LOOKED_UP,
  'sessions: primary key': LOOKED_UP,
  'users: users_email': LOOKED_UP,
  'whatsapp_cloud: whatsapp_cloud_key': LOOKED_UP,
  'autopay_ways: autopay_ways_authorization': OF_PROVIDER,
  'autopay_ways: autopay_ways_qr': OF_PROVIDER,
  'charges: charges_charge': OF_PROVIDER,
  'charges: charges_reference': OF_PROVIDER,
  'fiscal_notes: fiscal_notes_of_payment': OF_PROVIDER,
  'fiscal_notes: to payments': OF_PROVIDER,
  'payment_allocations: to payments': OF_PROVIDER,
  'payment_refunds: primary key': OF_PROVIDER,
  'payment_refunds: to payments': OF_PROVIDER,
  'payment_returns: to payments': OF_PROVIDER,
  'payments: payments_of_provider': OF_PROVIDER,
  'payments: primary key': OF_PROVIDER,
  'billing_notices: billing_notices_id': OF_OPERATOR,
  'collectors: collectors_name': OF_OPERATOR,
  'discounts: to coupons': OF_OPERATOR,
  'invoices: invoices_id': OF_OPERATOR,
  'invoices: to plans': OF_OPERATOR,
  'leads: to coupons': OF_OPERATOR,
  'plans: plans_one_standard': OF_OPERATOR,
  'plans: primary key': OF_OPERATOR,
  'terms_acceptances: to terms_versions': OF_OPERATOR,
}

/** The parts of drizzle-kit's snapshot that are read here. */
interface Table {
  name: string
  columns: Record<string, { name: string; primaryKey: boolean }>
  indexes: Record<string, { name: string; isUnique: boolean; columns: { expression: string }[] }>
  foreignKeys: Record<string, { columnsFrom: string[]; tableTo: string }>
  compositePrimaryKeys: Record<string, { columns: string[] }>
  uniqueConstraints: Record<string, { name: string; columns: string[] }>
}

/** Rows of a company stay together wherever its tables are kept: each key names the company. */
export const keysNameTheCompany: Rule = {
  name: 'keys of a company’s tables name the company',
  find({ root }) {
    const migrations = join(root, 'apps/server/migrations')
    if (!existsSync(join(migrations, 'meta/_journal.json'))) return []
    const snapshot = join(migrations, 'meta', snapshotsIn(migrations).kept)
    if (!existsSync(snapshot)) return []
    const { tables } = JSON.parse(readFileSync(snapshot, 'utf8')) as { tables: Record<string, Table> }
    const found = new Set(Object.values(tables).flatMap(without))
    return [
      ...[...found]
        .filter(key => !(key in exceptions))
        .map(
          key =>
            `${key} lacks company_id: begin the key with it, or say why not in bin/rules/distribution.ts`,
        ),
      ...Object.keys(exceptions)
        .filter(key => !found.has(key))
        .map(key => `bin/rules/distribution.ts excepts "${key}", which is no exception any more: remove it`),
    ]
  },
}

const COMPANY = 'company_id'

/** The keys of a table with a company that do not name it. */
function without({ name, columns, ...keys }: Table): string[] {
  if (!(COMPANY in columns)) return []
  const own = Object.values(columns).filter(({ primaryKey }) => primaryKey)
  const primary = [
    ...Object.values(keys.compositePrimaryKeys).map(key => key.columns),
    ...(own.length > 0 ? [own.map(column => column.name)] : []),
  ]
  const unique = [
    ...Object.values(keys.uniqueConstraints),
    ...Object.values(keys.indexes)
      .filter(({ isUnique }) => isUnique)
      .map(index => ({ name: index.name, columns: index.columns.map(({ expression }) => expression) })),
  ]
  return [
    ...primary.filter(key => !key.includes(COMPANY)).map(() => `${name}: primary key`),
    ...unique.filter(key => !key.columns.includes(COMPANY)).map(key => `${name}: ${key.name}`),
    ...Object.values(keys.foreignKeys)
      .filter(key => !key.columnsFrom.includes(COMPANY))
      .map(key => `${name}: to ${key.tableTo}`),
  ]
}
