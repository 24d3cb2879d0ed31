import type { Sql } from '../../platform/postgres/db.ts'
import { and, eq, gt, rowsFrom, type SQLWrapper, sql as tag } from '../../platform/postgres/sql.ts'
import { formerReceipts } from './clients.former.table.ts'

/** A payment of a provider, where its id there may be kept no longer: hexadecimal SHA-256. */
const digestOf = (provider: SQLWrapper | string, providerId: SQLWrapper | string) =>
  tag`encode(sha256(convert_to(${provider} || ':' || ${providerId}, 'UTF8')), 'hex')`

/**
 * Copies what past months of the operator's revenue are read from, of a company that is deleted in the same commit. The day of its
 * deletion, in the operator's zone, is the first on which it has no recurring revenue. The copies name no company.
 */
export async function keepFormer(sql: Sql, { companyId, zone }: { companyId: number; zone: string }) {
  // what is copied is what is deleted; payments are locked before their refunds, as everywhere
  for (const table of ['payments', 'payment_refunds', 'invoices'])
    await sql.execute(tag`select count(*) from (
      select from ${tag.identifier(table)} where company_id = ${companyId} order by id for update) locked`)
  await sql.execute(tag`
    insert into former_invoices (payer, start_period, end_period, value, is_automatic)
    select (select -nextval(pg_get_serial_sequence('former_invoices', 'id'))::int), start_period, end_period, value, is_automatic
    from (
      select i.id, i.start_invoice_period as start_period,
        (i.value + i.credited_value - i.carried_value - i.late_value) / i.recurrence as value, i.is_automatic,
        least(coalesce(i.released_from - 1, i.end_invoice_period), (c.leaving_at at time zone ${zone})::date - 1) as end_period
      from invoices i join companies c on c.id = i.company_id
      where i.company_id = ${companyId} and (i.cancelled_at is null or i.cancel_reason = 'carried')) held
    where end_period >= start_period order by id`)
  await sql.execute(tag`
    with kept as materialized (
      select id, paid_on, value, source, provider,
        case when provider_id <> '' then ${digestOf(tag`provider`, tag`provider_id`)} end as digest
      from payments where company_id = ${companyId} and voided_at is null)
    insert into former_receipts (day, value, source, provider, digest)
    select paid_on, value, source, provider, digest from kept
    union all
    select (coalesce(r.done_at, r.created_at) at time zone ${zone})::date, -r.value, k.source, k.provider, k.digest
    from payment_refunds r join kept k on k.id = r.payment_id where r.state = 'done'`)
}

/**
 * Writes what was given back, of so many cents by now, of a payment whose company was deleted: the difference to what its copies
 * hold, today in the operator's zone. False where no copy is of this payment. Idempotent.
 */
export async function bookFormer(
  sql: Sql,
  { provider, providerId, refunded, zone }: FormerRefund,
): Promise<boolean> {
  const digest = digestOf(tag`${provider}::text`, tag`${providerId}::text`)
  const [paid] = await sql
    .select()
    .from(formerReceipts)
    .where(and(eq(formerReceipts.digest, digest), gt(formerReceipts.value, 0)))
    .orderBy(formerReceipts.id)
    .limit(1)
    .for('update')
  if (!paid) return false
  // a statement of its own: it sees what was written before the lock was free
  await rowsFrom(
    sql,
    tag`insert into former_receipts (day, value, source, provider, digest)
      select (now() at time zone ${zone})::date, -news, ${paid.source}, ${paid.provider}, ${paid.digest}
      from (select least(${refunded}::int, ${paid.value}::int) + coalesce(sum(value), 0)::int as news
        from former_receipts where digest = ${paid.digest} and value < 0) reported
      where news > 0`,
  )
  return true
}

/** Of these payments of a provider those whose company was deleted, with the cents that their copies hold as given back. */
export const formerRefunds = (
  sql: Sql,
  provider: string,
  providerIds: string[],
): Promise<{ providerId: string; refunded: number }[]> =>
  rowsFrom(
    sql,
    tag`select named.id as "providerId", coalesce(-sum(f.value) filter (where f.value < 0), 0)::int as refunded
      from jsonb_array_elements_text(${JSON.stringify(providerIds)}::jsonb) named (id)
      join former_receipts f on f.digest = ${digestOf(tag`${provider}::text`, tag`named.id`)}
      group by named.id`,
  )

interface FormerRefund {
  provider: string
  /** The provider’s id of the payment. */
  providerId: string
  /** Cents. */
  refunded: number
  /** The operator's. */
  zone: string
}
