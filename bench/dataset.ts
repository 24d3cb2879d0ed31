import { LAST_WORDS } from '@balcao/contract/tickets.rules.ts'
import { hashPassword } from '../apps/server/src/platform/access/passwords.ts'
import { Memory } from '../apps/server/src/platform/memory.ts'
import { cities, days, firstNames, lastNames, phrases, products, RARE } from './dataset.words.ts'

/** How much of everything there is; the first company is the big one. */
export interface Size {
  companies: number
  users: number
  queues: number
  /** Simulator connections of the first company; every other has one. */
  connections: number
  open: number
  pending: number
  closed: number
  messages: number
  contacts: number
  /** Messages of ticket 1. */
  longTicket: number
}

export const PASSWORD = 'balcao-bench'
export const emailOf = (company: number, user: number) => `user${user}@company${company}.test`

/** Tickets 2 to QUIET are open and their contacts have no other ticket and exactly ten messages. */
export const QUIET = 200
const QUIET_MESSAGES = 10

/** Every company but the first. */
export const SMALL = { contacts: 60, tickets: 200, messages: 1_000 }

export const sizeOf = (scale: number): Size => ({
  companies: 50,
  users: 21,
  queues: 8,
  connections: 4,
  open: 3_000 * scale,
  pending: 1_000 * scale,
  closed: 46_000 * scale,
  messages: 500_000 * scale,
  contacts: 10_000 * scale,
  longTicket: 5_000,
})

/** The number on a contact's phone: a Brazilian mobile, matched without its ninth digit. */
export const numberOf = (contactId: number) => `55119${60_000_000 + contactId}`

/** One script that fills an empty, migrated database: set by set, indexes built at the end. */
export async function datasetScript(size: Size): Promise<string> {
  const hash = await hashPassword({ memory: new Memory() }, PASSWORD, 'bench')
  return [
    quickly,
    people(size, hash),
    contacts(size),
    tickets(size),
    messages(size),
    lastWords,
    counters,
    sequences,
    indexesAgain,
  ].join('\n')
}

const quickly = `
  select setseed(0.42);
  set local session_replication_role = replica;
  set local maintenance_work_mem = '256MB';
  alter table contacts enable always trigger contacts_words_folded;
  create temp table set_aside on commit drop as
    select indexname, indexdef from pg_indexes
    where schemaname = 'public' and tablename in ('contacts', 'tickets', 'messages')
      and indexname not in (select conname from pg_constraint);
  do $$ declare i record; begin
    for i in select * from set_aside loop execute format('drop index %I', i.indexname); end loop;
  end $$;`

const indexesAgain = `
  do $$ declare i record; begin
    for i in select * from set_aside loop execute i.indexdef; end loop;
  end $$;
  alter table contacts enable trigger contacts_words_folded;`

const literal = (values: string[]) =>
  `array[${values.map(value => `'${value.replaceAll("'", "''")}'`).join(',')}]`
const any = (values: string[]) => `(${literal(values)})[1 + floor(random() * ${values.length})::int]`

/** A sentence with its gaps filled. */
const sentence = `replace(replace(replace(replace(${any(phrases)}, '{p}', ${any(products)}), '{c}', ${any(cities)}),
  '{d}', ${any(days)}), '{n}', (10000 + floor(random() * 90000))::int::text)`

const people = ({ companies, users, queues, connections }: Size, hash: string) => `
  insert into companies (id, name, company_name, email, number_attendants, number_conections, last_protocol)
    select c, 'Empresa ' || c, 'Empresa ' || c || ' Ltda', 'empresa' || c || '@bench.test', 100, 10, 100000
    from generate_series(1, ${companies}) c;
  insert into plans (id, company_id, name, number_attendants, number_connections)
    select c, c, 'Bench', 100, 10 from generate_series(1, ${companies}) c;
  insert into queues (id, company_id, name, color)
    select (c - 1) * ${queues} + q, c, 'Setor ' || q, '#0000' || lpad(to_hex(q), 2, '0')
    from generate_series(1, ${companies}) c, generate_series(1, ${queues}) q;
  insert into whatsapps (id, company_id, name, lib, status, is_default, number, wanted, wanted_order)
    select row_number() over (order by c, w), c, 'Linha ' || w, 'simulator', 'CONNECTED', w = 1,
      '5511300' || lpad((c * 10 + w)::text, 5, '0'), 'on', 1
    from generate_series(1, ${companies}) c, generate_series(1, case when c = 1 then ${connections} else 1 end) w;
  insert into users (id, company_id, name, email, password_hash, profile)
    select (c - 1) * ${users} + u, c, ${any(firstNames)} || ' ' || ${any(lastNames)},
      'user' || u || '@company' || c || '.test', '${hash}', case when u = 1 then 'admin' else 'user' end
    from generate_series(1, ${companies}) c, generate_series(1, ${users}) u;
  -- the admin works in every queue, an attendant in half of them
  insert into user_queues (company_id, user_id, queue_id)
    select c, (c - 1) * ${users} + u, (c - 1) * ${queues} + q
    from generate_series(1, ${companies}) c, generate_series(1, ${users}) u, generate_series(1, ${queues}) q
    where u = 1 or (u + q) % 2 = 0;
  insert into tags (id, company_id, name, color)
    select (c - 1) * 5 + t, c, (array['VIP', 'Troca', 'Orçamento', 'Reclamação', 'Entrega'])[t], '#a31f52'
    from generate_series(1, ${companies}) c, generate_series(1, 5) t;`

const contacts = (size: Size) => `
  insert into contacts (id, company_id, name, number)
    select n, case when n <= ${size.contacts} then 1 else 2 + (n - ${size.contacts} - 1) / ${SMALL.contacts} end,
      ${any(firstNames)} || ' ' || ${any(lastNames)} || ' ' || ${any(lastNames)}, '55119' || (60000000 + n)
    from generate_series(1, ${size.contacts + (size.companies - 1) * SMALL.contacts}) n;
  insert into contact_identifiers (company_id, kind, value, contact_id)
    select company_id, 'phone', '5511' || (60000000 + id), id from contacts;`

/** Living tickets have a contact each; closed ones share the contacts that are not among the quiet. */
const tickets = (size: Size) => {
  const living = size.open + size.pending
  const first = living + size.closed
  return `
  create temp table plan_tickets on commit drop as
    select n, 1 as company_id, 0 as users_before, 0 as queues_before, 1 + n % ${size.connections} as whatsapp_id,
      case when n <= ${size.open} then 'open' when n <= ${living} then 'pending' else 'closed' end as status,
      case when n <= ${living} then n
        else ${QUIET} + 1 + floor(random() * ${size.contacts - QUIET})::int end as contact_id
    from generate_series(1, ${first}) n
    union all
    select ${first} + (c - 2) * ${SMALL.tickets} + k, c, (c - 1) * ${size.users}, (c - 1) * ${size.queues},
      ${size.connections} + c - 1,
      case when k <= 20 then 'open' when k <= 30 then 'pending' else 'closed' end,
      ${size.contacts} + (c - 2) * ${SMALL.contacts} + case when k <= 30 then k else 1 + floor(random() * ${SMALL.contacts})::int end
    from generate_series(2, ${size.companies}) c, generate_series(1, ${SMALL.tickets}) k;
  insert into tickets (id, company_id, uuid, status, protocol, source, contact_id, user_id, queue_id, whatsapp_id,
      unread_messages, created_at, updated_at, closed_at, waiting_since)
    select n, company_id, gen_random_uuid(), status, to_char(at, 'YYYYMMDD') || lpad(n::text, 6, '0'), n % 2, contact_id,
      case when status <> 'pending' then users_before + 2 + n % ${size.users - 1} end,
      case when n % 12 <> 0 then queues_before + 1 + n % ${size.queues} end, whatsapp_id,
      case when status = 'pending' then 1 + n % 3 when status = 'open' and n % 3 = 0 then n % 7 else 0 end,
      at - interval '4 hours' * random(), at, case when status = 'closed' then at end,
      case when status = 'pending' then at end
    from (select *, now() - interval '1 minute' - random() * case status when 'closed' then interval '365 days'
      when 'open' then interval '3 days' else interval '1 day' end as at from plan_tickets) placed;
  insert into ticket_tags (company_id, ticket_id, tag_id)
    select company_id, id, (company_id - 1) * 5 + 1 + id % 5 from tickets where id % 4 = 0;
  insert into ticket_history (company_id, ticket_id, what, to_status, to_user_id, to_queue_id, at)
    select company_id, id, 'opened', status, user_id, queue_id, created_at from tickets;`
}

/** Ticket 1 is the long one, the quiet have ten each, the rest share what is left; between opening and last activity. */
const messages = (size: Size) => {
  const first = size.open + size.pending + size.closed
  const quiet = (QUIET - 1) * QUIET_MESSAGES
  return `
  insert into messages (id, company_id, ticket_id, contact_id, whatsapp_id, external_id, from_me, source, user_id, body, ack, read,
      created_at)
    select gen_random_uuid(), t.company_id, t.id, t.contact_id, t.whatsapp_id, 'B' || g, from_me,
      case when from_me then 'person' else 'contact' end, case when from_me then t.user_id end,
      ${sentence} || case when g % ${Math.max(1, Math.floor(size.messages / 20))} = 7 then ' ${RARE}' else '' end,
      4, true, t.created_at + (t.updated_at - t.created_at) * random()
    from (
      select g, random() < 0.5 as from_me, case
        when g <= ${size.longTicket} then 1
        when g <= ${size.longTicket + quiet} then 2 + (g - ${size.longTicket} - 1) / ${QUIET_MESSAGES}
        when g <= ${size.messages} then ${QUIET} + 1 + floor(random() * ${first - QUIET})::int
        else ${first} + 1 + floor(random() * ${(size.companies - 1) * SMALL.tickets})::int end as ticket_id
      from generate_series(1, ${size.messages + (size.companies - 1) * SMALL.messages}) g
    ) said join tickets t on t.id = said.ticket_id
    order by 13; -- as they come in life: the messages of one ticket lie apart`
}

const lastWords = `
  update tickets t set last_message = left(m.body, ${LAST_WORDS}), last_message_id = m.id, last_message_from_me = m.from_me,
      last_message_ack = m.ack
    from (select distinct on (ticket_id) * from messages order by ticket_id, created_at desc, id desc) m
    where t.company_id = m.company_id and t.id = m.ticket_id;`

const counters = `
  insert into ticket_counts (company_id, status, queue_id, user_id, tickets)
    select company_id, status, coalesce(queue_id, 0), coalesce(user_id, 0), count(*) from tickets group by 1, 2, 3, 4;`

const sequences = `
  do $$ declare t text; begin
    foreach t in array array['plans', 'companies', 'queues', 'whatsapps', 'users', 'tags', 'contacts', 'tickets'] loop
      execute format('select setval(%L, (select max(id) from %I))', t || '_id_seq', t);
    end loop;
  end $$;`
