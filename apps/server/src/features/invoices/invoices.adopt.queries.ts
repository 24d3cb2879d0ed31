import { rowsFrom, sql as tag } from '../../platform/postgres/sql.ts'
import type { Tx } from '../../platform/scope.ts'
import { zoneOf } from '../companies/companies.queries.ts'

/**
 * Makes a payment of each paid invoice of the company that has none: of the provider where a charge was paid, else a manual
 * one. It was recorded on the day of the payment. Runs once for a company, in the commit that creates its subscription.
 */
export const adoptPaidInvoices = (tx: Tx) =>
  rowsFrom(
    tx.sql,
    tag`with paid as materialized (
        select nextval('payments_id_seq')::int as payment_id, i.id, i.value, i.status, i.transaction_receipt_url,
          coalesce(i.pay_date, i.due_date) as paid_on, c.charge_id, c.provider,
          greatest(i.created_at, coalesce(i.pay_date, i.due_date)::timestamp at time zone ${zoneOf(tx)}) as created_at
        from invoices i left join charges c on c.company_id = i.company_id and c.invoice_id = i.id and c.state = 'paid'
        where i.company_id = ${tx.companyId} and i.status in ('RECEIVED', 'CONFIRMED') and i.paid_value = 0
        order by i.id),
      made as (
        insert into payments (id, company_id, source, value, status, paid_on, receipt_url, provider, provider_id, created_at)
        select payment_id, ${tx.companyId}, case when charge_id is null then 'manual' else 'provider' end, value, status,
          paid_on, transaction_receipt_url, case when charge_id is null then '' else provider end, coalesce(charge_id, ''),
          created_at
        from paid),
      allocated as (
        insert into payment_allocations (company_id, payment_id, invoice_id, value)
        select ${tx.companyId}, payment_id, id, value from paid)
      update invoices i set paid_value = i.value from paid where i.company_id = ${tx.companyId} and i.id = paid.id`,
  )
