import { boundsOf, type ReceiptKind } from '@balcao/contract/revenue.rules.ts'
import type { Receipt } from '@balcao/contract/revenue.ts'
import type { Sql } from '../../platform/postgres/db.ts'
import { rowsFrom, type SQL, sql as tag } from '../../platform/postgres/sql.ts'

/**
 * Payments, credit and refunds between two days (without the second). A payment is of the day on which it was paid, a refund
 * of the day on which it was given back; one that the provider is still to make is not among them. The payment of each refund is
 * looked up, since refunds are few: a join would read all payments. Those of companies that were deleted have negative numbers.
 */
export const receiptLines = ({ from, until }: { from: string; until: string }, zone: string): SQL => tag`
  select case source when 'credit' then 'credit' else 'payment' end as kind, id, paid_on as day, company_id, value, id as payment_id,
    '' as reason, source, provider
  from payments where voided_at is null and paid_on >= ${from}::date and paid_on < ${until}::date
  union all
  select 'refund', r.id, (${GIVEN_BACK} at time zone ${zone})::date, r.company_id, -r.value, r.payment_id, r.reason, null, null
  from payment_refunds r
  where r.state = 'done' and (select voided_at from payments p where p.id = r.payment_id) is null
    and ${GIVEN_BACK} >= ${from}::timestamp at time zone ${zone} and ${GIVEN_BACK} < ${until}::timestamp at time zone ${zone}
  union all
  select case when value < 0 then 'refund' when source = 'credit' then 'credit' else 'payment' end, -id, day, null, value, null, '',
    source, provider
  from former_receipts where day >= ${from}::date and day < ${until}::date`

/** When a refund that is done was given back. */
const GIVEN_BACK = tag`coalesce(r.done_at, r.created_at)`

/** The place of a receipt in the list. */
export type ReceiptPlace = Pick<Receipt, 'day' | 'kind' | 'rowId'>

export interface ReceiptsAsked {
  month: string
  kind?: ReceiptKind | undefined
  zone: string
}

/** Those behind a place, the latest first. */
export const receiptsAfter = (
  sql: Sql,
  { month, kind, zone }: ReceiptsAsked,
  { after, offset = 0, limit }: { after: ReceiptPlace | null; offset?: number; limit: number },
): Promise<Receipt[]> =>
  rowsFrom(
    sql,
    tag`select r.id as "rowId", r.kind, to_char(r.day, 'YYYY-MM-DD') as day, r.company_id as "companyId",
        coalesce(c.name, '') as "companyName", coalesce(c.document_number, '') as "documentNumber", r.value,
        coalesce(r.source, p.source) as source, coalesce(r.provider, p.provider) as provider,
        coalesce(p.provider_id, '') as "providerId", coalesce(p.recorded_by, '') as "recordedBy",
        coalesce(nullif(r.reason, ''), p.note, '') as note
      from (
        select * from (${receiptLines(boundsOf(month), zone)}) found
        where ${kind ? tag`kind = ${kind}` : tag`true`}
          and ${after ? tag`(day, kind, id) < (${after.day}::date, ${after.kind}, ${after.rowId}::int)` : tag`true`}
        order by day desc, kind desc, id desc limit ${limit} offset ${offset}) r
      left join payments p on p.id = r.payment_id left join companies c on c.id = r.company_id
      order by r.day desc, r.kind desc, r.id desc`,
  )
