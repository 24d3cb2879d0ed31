import type { Ticket } from '@balcao/contract/tickets.ts'
import { rowsFrom, sql as tag } from '../../../platform/postgres/sql.ts'
import type { Tx } from '../../../platform/scope.ts'
import { isOutsideHours } from '../../businessHours/businessHours.queries.ts'
import { zoneOf } from '../../companies/companies.queries.ts'

/**
 * The text for the time outside the hours on a ticket: of its queue, else of its connection. Null within the hours, without
 * a text, and where the contact was sent one on this day, or within the hours that the company decided.
 */
export async function hoursText(tx: Tx, ticketId: number): Promise<string | null> {
  const [row] = await rowsFrom<{ text: string }>(
    tx.sql,
    tag`select coalesce(nullif(trim(q.out_of_hours_message), ''), w.out_of_hours_message) as text
      from tickets t
      join companies c on c.id = t.company_id
      join whatsapps w on w.company_id = t.company_id and w.id = t.whatsapp_id
      left join queues q on q.company_id = t.company_id and q.id = t.queue_id
      where t.company_id = ${tx.companyId} and t.id = ${ticketId}
        and trim(concat(q.out_of_hours_message, w.out_of_hours_message)) <> '' and ${isOutsideHours(tx, tag`t.queue_id`, tag`t.whatsapp_id`)}
        and not exists (select from tickets o where o.company_id = t.company_id and o.contact_id = t.contact_id
          and (o.out_of_hours_at > now() - make_interval(hours => c.out_of_hours_every)
            or (o.out_of_hours_at at time zone ${zoneOf(tx)})::date = (now() at time zone ${zoneOf(tx)})::date))`,
  )
  return row?.text ?? null
}

/** What is sent when the viewer resolves a ticket: the user's own farewell, else that of its queue, else of its connection. */
export async function farewellText(tx: Tx, { id }: Pick<Ticket, 'id'>): Promise<string | null> {
  const [row] = await rowsFrom<{ text: string | null }>(
    tx.sql,
    tag`select coalesce(nullif(trim(u.farewell_message), ''), nullif(trim(q.farewell), ''),
        nullif(trim(w.farewell_message), '')) as text
      from tickets t
      join whatsapps w on w.company_id = t.company_id and w.id = t.whatsapp_id
      left join queue_closings q on q.company_id = t.company_id and q.queue_id = t.queue_id
      left join users u on u.company_id = t.company_id and u.id = ${tx.viewer?.id ?? 0}::int
      where t.company_id = ${tx.companyId} and t.id = ${id}`,
  )
  return row?.text ?? null
}
