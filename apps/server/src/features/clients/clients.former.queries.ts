import type { Sql } from '../../platform/postgres/db.ts'
import { sql as tag } from '../../platform/postgres/sql.ts'

/**
 * Copies what past months of the operator's revenue are read from, of a company that is deleted in the same commit. The day of its
 * deletion, in the operator's zone, is the first on which it has no recurring revenue. The copies name no company.
 */
export async function keepFormer(sql: Sql, { companyId, zone }: { companyId: number; zone: string }) {
  await sql.execute(tag`
    insert into former_invoices (payer, start_period, end_period, value, is_automatic)
    select (select -nextval(pg_get_serial_sequence('former_invoices', 'id'))::int), start_period, end_period, value, is_automatic
    from (
      select i.id, i.start_invoice_period as start_period, i.value / i.recurrence as value, i.is_automatic,
        least(coalesce(i.released_from - 1, i.end_invoice_period), (c.leaving_at at time zone ${zone})::date - 1) as end_period
      from invoices i join companies c on c.id = i.company_id
      where i.company_id = ${companyId} and i.cancelled_at is null) held
    where end_period >= start_period order by id`)
  await sql.execute(tag`
    insert into former_receipts (day, value, source, provider)
    select paid_on, value, source, provider from payments where company_id = ${companyId} and voided_at is null
    union all
    select (r.created_at at time zone ${zone})::date, -r.value, p.source, p.provider
    from payment_refunds r join payments p on p.id = r.payment_id
    where p.company_id = ${companyId} and p.voided_at is null and r.state = 'done'`)
}
