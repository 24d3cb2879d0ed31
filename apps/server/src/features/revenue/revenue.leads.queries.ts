import type { PageQuery } from '@balcao/contract/kit.ts'
import { boundsOf, type LeadState, type LeadStep, monthBefore } from '@balcao/contract/revenue.rules.ts'
import type { LeadFunnel, ListedLead } from '@balcao/contract/revenue.ts'
import { onePage } from '../../platform/lists/lists.ts'
import { patternOf } from '../../platform/lists/sought.ts'
import type { Sql } from '../../platform/postgres/db.ts'
import { rowsFrom, type SQL, sql as tag } from '../../platform/postgres/sql.ts'
import { dayAfterTrial } from './revenue.subscribers.queries.ts'

const MONTHS = 12

/** Leads that signed up between two months, and the steps they reached. The funnel and its rows are both read from it. */
const leadsIn = ({
  from,
  until,
  zone,
}: {
  from: string | null
  until: string | null
  zone: string
}): SQL => tag`
  select l.id, l.name, l.email, l.whatsapp_number as "whatsAppNumber", l.origin, coalesce(p.name, '') as "planName",
    l.company_id as "companyId", coalesce(c.name, '') as "companyName", l.created_at, to_char(l.created_at at time zone ${zone}, 'YYYY-MM') as month,
    true as asked, l.completed_at is not null as completed, coalesce(i.invoiced, false) as invoiced, coalesce(i.paid, false) as paid,
    case when l.completed_at is null then case when l.expires_at > now() then 'waiting' else 'expired' end
      when i.paid then 'customer' when i.invoiced then 'unpaid'
      when ${dayAfterTrial(zone)}
        > (now() at time zone coalesce(c.time_zone, ${zone}))::date and c.status = 1 then 'trial'
      else 'lost' end as state
  from leads l left join companies c on c.id = l.company_id left join plans p on p.id = l.plan_id
  left join subscriptions s on s.company_id = l.company_id
  left join lateral (
    select count(*) > 0 as invoiced, bool_or(status in ('RECEIVED', 'CONFIRMED')) as paid
    from invoices where company_id = l.company_id and cancelled_at is null) i on true
  where ${from ? tag`l.created_at >= ${boundsOf(from).from}::timestamp at time zone ${zone}` : tag`true`}
    and ${until ? tag`l.created_at < ${boundsOf(until).until}::timestamp at time zone ${zone}` : tag`true`}`

/** The last twelve months, the newest first. */
export async function leadFunnel(
  sql: Sql,
  { today, zone }: { today: string; zone: string },
): Promise<LeadFunnel[]> {
  const months = Array.from({ length: MONTHS }, (_, at) => monthBefore(today, at))
  const rows = await rowsFrom<LeadFunnel>(
    sql,
    tag`select month, (count(*) filter (where asked))::int as asked, (count(*) filter (where completed))::int as completed,
        (count(*) filter (where invoiced))::int as invoiced, (count(*) filter (where paid))::int as paid
      from (${leadsIn({ from: months.at(-1)!, until: months[0]!, zone })}) found group by month`,
  )
  const none = { asked: 0, completed: 0, invoiced: 0, paid: 0 }
  return months.map(month => rows.find(row => row.month === month) ?? { month, ...none })
}

interface LeadsAsked extends PageQuery {
  zone: string
  month?: string | undefined
  state?: LeadState | undefined
  reached?: LeadStep | undefined
}

const STEPS = { asked: tag`asked`, completed: tag`completed`, invoiced: tag`invoiced`, paid: tag`paid` }

/** Leads, the newest first, a page at a time. */
export async function listLeads(sql: Sql, { zone, month = '', state, reached, ...asked }: LeadsAsked) {
  const like = patternOf(asked.searchParam ?? '')
  const where = [
    ...(state ? [tag`state = ${state}`] : []),
    ...(reached ? [STEPS[reached]] : []),
    ...(like ? [tag`folded(concat_ws(' ', name, email, "whatsAppNumber")) like ${like}`] : []),
  ]
  const { rows, hasMore } = await onePage(asked, (limit, offset) =>
    rowsFrom<ListedLead>(
      sql,
      tag`select *, to_char(created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "createdAt"
        from (${leadsIn({ from: month || null, until: month || null, zone })}) found
        where ${where.length > 0 ? tag.join(where, tag` and `) : tag`true`}
        order by created_at desc, id desc limit ${limit} offset ${offset}`,
    ),
  )
  return { rows, hasMore }
}
