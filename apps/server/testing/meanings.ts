const user = (
  column: string,
) => `(select coalesce((select split_part(u.name, '@', 1) from users u where u.company_id = x.company_id and u.id = ${column}),
  (select f.name from former_users f where f.company_id = x.company_id and f.id = ${column})))`
const named = (table: string, column: string) =>
  `(select n.name from ${table} n where n.company_id = x.company_id and n.id = ${column})`
const names = (table: string, column: string) =>
  `array(select n.name from unnest(${column}) with ordinality e(v, at) join ${table} n on n.company_id = x.company_id and n.id = v order by at)`
const ticket = (column: string) =>
  `(select t.protocol from tickets t where t.company_id = x.company_id and t.id = ${column})`

/** What rows of the company `$1` mean, without an id. */
export const meanings: Record<string, string> = {
  company: `select x.name, x.status, x.created_at, x.lead_id is not null as "signedUp", s.trial_ends_on, s.billed_from, s.billed_through
    from companies x left join subscriptions s on s.company_id = x.id where x.id = $1`,
  contacts: `select x.name, x.number, x.email,
      array(select k.name from contact_categories cc join categories k on k.company_id = cc.company_id and k.id = cc.category_id
        where cc.company_id = x.company_id and cc.contact_id = x.id order by 1) as categories,
      array(select i.kind || i.value from contact_identifiers i where i.company_id = x.company_id and i.contact_id = x.id order by 1) as addresses
    from contacts x where company_id = $1 order by id`,
  tickets: `select x.protocol, x.status, x.uuid, x.created_at, x.closed_at, x.unread_messages, ${named('contacts', 'x.contact_id')} as contact,
      ${user('x.user_id')} as user, ${named('queues', 'x.queue_id')} as queue, ${named('whatsapps', 'x.whatsapp_id')} as phone,
      (select m.body from messages m where m.company_id = x.company_id and m.id = x.last_message_id) as last,
      array(select n.name from ticket_tags g join tags n on n.company_id = g.company_id and n.id = g.tag_id
        where g.company_id = x.company_id and g.ticket_id = x.id order by 1) as tags
    from tickets x where company_id = $1 order by id`,
  messages: `select x.body, x.from_me, x.created_at, x.position, x.media_url, x.media, x.external_id, x.reactions, x.quoted_copy,
      ${ticket('x.ticket_id')} as ticket, ${named('contacts', 'x.contact_id')} as contact, ${user('x.user_id')} as user,
      (select q.body from messages q where q.company_id = x.company_id and q.id = x.quoted_id) as quoted
    from messages x where company_id = $1 order by position, id`,
  history: `select x.what, x.from_status, x.to_status, x.at, ${ticket('x.ticket_id')} as ticket, ${user('x.by_user_id')} as by,
      ${user('x.to_user_id')} as "toUser", ${named('queues', 'x.to_queue_id')} as "toQueue", ${named('queues', 'x.from_queue_id')} as "fromQueue"
    from ticket_history x where company_id = $1 order by id`,
  segments: `select x.place, x.kind, x.seconds, ${user('x.user_id')} as user, ${named('queues', 'x.queue_id')} as queue,
      s.closed_at, s.serve_seconds, ${ticket('s.ticket_id')} as ticket
    from ticket_segments x join ticket_services s on s.company_id = x.company_id and s.history_id = x.history_id
    where x.company_id = $1 order by x.history_id, x.place`,
  bots: `select x.command_bot, x.show_message, ${named('queues', 'x.queue_id')} as queue, ${user('x.user_id')} as user,
      ${names('tags', 'x.tag_ids')} as tags, jsonb_array_length(x.logic->'conditions') as conditions,
      (select n.name from tags n where n.company_id = x.company_id and n.id = (x.logic->'conditions'->0->>'id')::int) as condition
    from bot_commands x where company_id = $1 order by id`,
  buttons: `select x.name, array(select concat_ws(' ', b.value->'buttonText'->>'displayText', ${named('tags', "(b.value->>'tagId')::int")},
        ${named('categories', "(b.value->>'categoryId')::int")}, ${named('queues', "(b.value->>'queueId')::int")})
      from jsonb_array_elements(x.json_button_or_list->'buttons') with ordinality b(value, at) order by b.at) as buttons
    from campaign_setups x where company_id = $1 order by id`,
  schedules: `select x.body, x.send_at, x.next_at, x.status, ${named('contacts', 'x.contact_id')} as contact,
      ${named('whatsapps', 'x.whatsapp_id')} as phone, ${user('x.user_id')} as user
    from schedules x where company_id = $1 order by id`,
  invoices: `select x.value, x.status, x.due_date, x.paid_value, (select p.name from plans p where p.id = x.plan_id and p.company_id = x.company_id) as plan,
      (select sum(a.value) from payment_allocations a join payments y on y.id = a.payment_id and y.company_id = a.company_id
        where a.company_id = x.company_id and a.invoice_id = x.id) as paid
    from invoices x where company_id = $1 order by id`,
  prices: 'select since, name, months, value from plan_prices where company_id = $1 order by id',
  reports: `select x.day, x.side, x.closed, x.served, x.serve_seconds, ${user('x.user_id')} as user, ${named('queues', 'x.queue_id')} as queue
    from report_days x where company_id = $1 order by 1, 2, 6, 7, 3, 4, 5`,
  counts: `select x.status, sum(x.n)::int as tickets from (select company_id, status, tickets as n from ticket_counts) x where company_id = $1 group by 1 order by 1`,
  people: `select x.name, x.profile, x.master, ${named('whatsapps', 'x.whatsapp_id')} as phone, ${named('user_authorizations', 'x.user_authorization_id')} as permissions,
      array(select n.name from user_queues g join queues n on n.company_id = g.company_id and n.id = g.queue_id
        where g.company_id = x.company_id and g.user_id = x.id order by 1) as queues
    from users x where company_id = $1 order by id`,
}
