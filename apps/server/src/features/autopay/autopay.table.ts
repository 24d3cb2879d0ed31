import type { AutopayKind, AutopayReason, AutopayState } from '@balcao/contract/autopay.ts'
import type { CollectorName } from '@balcao/contract/collectors.ts'
import type { RecurrenceMonths } from '@balcao/contract/invoices.rules.ts'
import { boolean, index, integer, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { keysAt, sealedIn } from '../../platform/access/sealed.ts'
import { companyId, instantColumn, serialId } from '../../platform/postgres/columns.ts'
import { sql } from '../../platform/postgres/sql.ts'
import { companies } from '../companies/companies.table.ts'

const words = (name: string) => text(name).notNull().default('')

/** How the invoices of a company are paid by themselves; one of a company counts (`autopay_ways_current`), earlier ones ended. */
export const autopayWays = pgTable(
  'autopay_ways',
  {
    companyId: companyId().references(() => companies.id, { onDelete: 'cascade' }),
    id: serialId(),
    kind: text('kind').notNull().$type<AutopayKind>(),
    /** ending: it does not count any more, and the provider is to be asked to end the authorization. */
    state: text('state').notNull().$type<AutopayState | 'ending'>(),
    /** What the provider knows an authorization by. */
    reference: uuid('reference').notNull().defaultRandom(),
    /** Empty until it is asked for the first time. */
    provider: words('provider').$type<CollectorName | ''>(),
    /** The provider’s; empty until it answered. */
    authorizationId: words('authorization_id'),
    /** The invoice whose payment authorizes it, its cents, and the months of its period; null until the provider is asked. */
    invoiceId: integer('invoice_id'),
    value: integer('value'),
    months: integer('months').$type<RecurrenceMonths>(),
    pixCode: words('pix_code'),
    /** By which the payment of that invoice is recognized. */
    qrId: words('qr_id'),
    isPaid: boolean('is_paid').notNull().default(false),
    /** The provider’s token of a card, sealed; empty until it is kept, and once it ended. */
    token: words('token'),
    brand: words('brand'),
    lastDigits: words('last_digits'),
    reason: words('reason').$type<AutopayReason>(),
    /** The provider’s words, or one of UNCHARGED_REASONS. */
    problem: words('problem'),
    /** The invoice that could not be paid by it. */
    problemInvoiceId: integer('problem_invoice_id'),
    /** When the provider is asked next; whoever does it puts this off first. */
    dueAt: instantColumn('due_at').notNull().default(sql`now()`),
    attempts: integer('attempts').notNull().default(0),
    createdAt: instantColumn('created_at').notNull().default(sql`now()`),
  },
  table => [
    primaryKey({ columns: [table.companyId, table.id] }),
    uniqueIndex('autopay_ways_current')
      .on(table.companyId)
      .where(sql`${table.state} in ('wanted', 'waiting', 'active')`),
    // events name them without their company
    uniqueIndex('autopay_ways_authorization')
      .on(table.provider, table.authorizationId)
      .where(sql`${table.authorizationId} <> ''`),
    uniqueIndex('autopay_ways_qr').on(table.provider, table.qrId).where(sql`${table.qrId} <> ''`),
    index('autopay_ways_due').on(table.dueAt).where(sql`${table.kind} = 'pix' and ${table.state} <> 'ended'`),
  ],
)

export const sealedOfAutopay = sealedIn(
  autopayWays,
  {
    what: 'a kept card',
    todo: 'the company keeps its card again under Pagamento automático; meanwhile its invoices have their link',
    forget: (on, { companyId: id, keys }) =>
      on.execute(sql`update autopay_ways set token = '', reason = case when state = 'ended' then reason else 'notKept' end,
        state = 'ended' where company_id = ${id} and id in ${keysAt(keys)}`),
  },
  autopayWays.token,
)
