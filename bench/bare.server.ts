import { randomBytes, randomUUID } from 'node:crypto'
import fastify from 'fastify'
import pg from 'pg'

/**
 * A bare server: Fastify and pg alone, the bytes of the product's answers from the same tables by prepared statements.
 * No sessions, no separation of companies, no push, no outbound messages, no ordering. The product's figures are given
 * as a share of this.
 */
const PAGE = 40

for (const type of [1114, 1184]) pg.types.setTypeParser(type, value => new Date(value).toISOString())
pg.types.setTypeParser(20, Number)

const pool = new pg.Pool({
  connectionString: process.env.DATABASE_URL,
  max: 10,
  options: '-c timezone=UTC -c jit=off -c plan_cache_mode=force_generic_plan',
})

type Row = Record<string, never>

const ticketColumns = `t.id, t.uuid, t.company_id, t.status, t.protocol, t.source, t.channel, t.is_group, t.user_id,
  u.name as user_name, t.queue_id, q.name as queue_name, q.color as queue_color, t.contact_id, c.name as contact_name,
  c.number as contact_number, c.lid as contact_lid, c.email as contact_email, c.profile_pic_url as contact_picture, c.owner_id as contact_owner,
  t.whatsapp_id, w.name as whatsapp_name, t.unread_messages, t.last_message, t.last_message_id, t.last_message_from_me,
  t.last_message_ack, t.last_message_type, t.waiting_since, t.replies_until, t.version, t.created_at, t.updated_at,
  (select coalesce(json_agg(json_build_object('id', g.id, 'name', g.name, 'color', g.color) order by lower(g.name)), '[]')
    from ticket_tags tt join tags g on g.company_id = tt.company_id and g.id = tt.tag_id
    where tt.company_id = t.company_id and tt.ticket_id = t.id) as tags,
  m.source as last_source, mu.id as last_user_id, mu.name as last_user_name`

const ticketTables = `tickets t
  join contacts c on c.company_id = t.company_id and c.id = t.contact_id
  left join users u on u.company_id = t.company_id and u.id = t.user_id
  left join queues q on q.company_id = t.company_id and q.id = t.queue_id
  left join whatsapps w on w.company_id = t.company_id and w.id = t.whatsapp_id
  left join messages m on m.company_id = t.company_id and m.id = t.last_message_id
  left join users mu on mu.company_id = m.company_id and mu.id = m.user_id`

const toTicket = (t: Row) => ({
  id: t.id,
  uuid: t.uuid,
  companyId: t.company_id,
  status: t.status,
  protocol: t.protocol,
  source: t.source,
  channel: t.channel,
  isGroup: t.is_group,
  userId: t.user_id,
  user: t.user_id && { id: t.user_id, name: t.user_name },
  queueId: t.queue_id,
  queue: t.queue_id && { id: t.queue_id, name: t.queue_name, color: t.queue_color },
  contactId: t.contact_id,
  contact: {
    id: t.contact_id,
    name: t.contact_name,
    number: t.contact_number,
    lid: t.contact_lid,
    email: t.contact_email,
    profilePicUrl: t.contact_picture,
    ownerId: t.contact_owner,
  },
  whatsappId: t.whatsapp_id,
  whatsapp: t.whatsapp_id && { id: t.whatsapp_id, name: t.whatsapp_name },
  tags: t.tags,
  unreadMessages: t.unread_messages,
  lastMessage: t.last_message,
  lastMessageId: t.last_message_id,
  lastMessageFromMe: t.last_message_from_me,
  lastMessageAck: t.last_message_ack,
  lastMessageType: t.last_message_type,
  lastMessageBy: t.last_source && {
    source: t.last_source,
    user: t.last_user_id && { id: t.last_user_id, name: t.last_user_name },
  },
  waitingSince: t.waiting_since,
  repliesUntil: t.replies_until,
  version: t.version,
  createdAt: t.created_at,
  updatedAt: t.updated_at,
})

async function openTickets() {
  const [rows, counted] = await Promise.all([
    pool.query({
      name: 'open',
      text: `select ${ticketColumns} from ${ticketTables} where t.company_id = $1 and t.status = 'open'
        order by t.updated_at desc, t.id desc limit ${PAGE + 1}`,
      values: [1],
    }),
    pool.query({
      name: 'count',
      text: `select sum(tickets)::int as count from ticket_counts where company_id = $1 and status = 'open'`,
      values: [1],
    }),
  ])
  return {
    tickets: rows.rows.slice(0, PAGE).map(toTicket),
    hasMore: rows.rows.length > PAGE,
    count: counted.rows[0].count,
  }
}

const messageColumns = `m.id, m.ticket_id, m.contact_id, m.whatsapp_id, m.external_id, m.from_me, m.source, m.user_id, m.body,
  m.media_type, m.media_url, m.media, m.data_json, m.reactions, m.is_forwarded, m.edited_at, m.author, m.ack,
  m.fail_reason, m.is_deleted, m.read, m.position, m.version, m.created_at, u.name as user_name, c.name as contact_name,
  t.protocol, t.queue_id`

const messageTables = `messages m
  join contacts c on c.company_id = m.company_id and c.id = m.contact_id
  join tickets t on t.company_id = m.company_id and t.id = m.ticket_id
  left join users u on u.company_id = m.company_id and u.id = m.user_id`

const toMessage = (m: Row) => ({
  id: m.id,
  ticketId: m.ticket_id,
  contactId: m.contact_id,
  body: m.body,
  fromMe: m.from_me,
  read: m.read,
  ack: m.ack,
  failReason: m.fail_reason,
  isDeleted: m.is_deleted,
  mediaType: m.media_type,
  mediaUrl: m.media_url,
  media: m.media,
  dataJson: m.data_json,
  quotedMsg: null,
  reactions: m.reactions,
  isForwarded: m.is_forwarded,
  editedAt: m.edited_at,
  source: m.source,
  user: m.user_id && { id: m.user_id, name: m.user_name },
  contact: { id: m.contact_id, name: m.contact_name },
  author: m.author,
  ticket: { id: m.ticket_id, protocol: m.protocol, queueId: m.queue_id },
  version: m.version,
  position: m.position,
  createdAt: m.created_at,
})

/** Of the ticket itself, not of its contact's others; read on from a position, since a bare server would not skip either. */
async function messagesOf(ticketId: number, before: number) {
  const [ticket, rows] = await Promise.all([
    pool.query({
      name: 'ticket',
      text: `select ${ticketColumns} from ${ticketTables} where t.company_id = $1 and t.id = $2`,
      values: [1, ticketId],
    }),
    pool.query({
      name: 'messages',
      text: `select ${messageColumns} from ${messageTables} where m.company_id = $1 and m.ticket_id = $2
        and m.position < $3 order by m.position desc limit ${PAGE + 1}`,
      values: [1, ticketId, before],
    }),
  ])
  return {
    messages: rows.rows.slice(0, PAGE).map(toMessage).reverse(),
    hasMore: rows.rows.length > PAGE,
    hasNewer: false,
    ticket: toTicket(ticket.rows[0]),
  }
}

/** The message, the ticket's row that follows it, one commit. */
async function post(ticketId: number, { id, body }: { id: string; body: string }) {
  const client = await pool.connect()
  try {
    await client.query('begin')
    const { rows } = await client.query({
      name: 'insert',
      text: `insert into messages as m (id, company_id, ticket_id, contact_id, whatsapp_id, external_id, from_me, user_id, body,
          ack, read)
        select $1, t.company_id, t.id, t.contact_id, t.whatsapp_id, $2, true, 1, $3, 1, true
        from tickets t where t.company_id = 1 and t.id = $4
        returning ${messageColumns.slice(0, messageColumns.indexOf(', u.name'))},
          (select name from users where company_id = 1 and id = 1) as user_name,
          (select name from contacts c where c.company_id = 1 and c.id = m.contact_id) as contact_name`,
      values: [id, `3EB0${randomBytes(9).toString('hex')}`, body, ticketId],
    })
    const ticket = await client.query({
      name: 'follow',
      text: `update tickets set last_message = $1, last_message_id = $2, last_message_from_me = true, last_message_ack = 1,
          unread_messages = 0, updated_at = now(), version = version + 1 where company_id = 1 and id = $3
        returning protocol, queue_id`,
      values: [body, id, ticketId],
    })
    await client.query('commit')
    return toMessage({ ...rows[0], ...ticket.rows[0] })
  } finally {
    client.release()
  }
}

const app = fastify()
let written = ''
app.get('/joined', openTickets)
app.get('/kept', async (_request, reply) => {
  written ||= JSON.stringify(await openTickets())
  return reply.type('application/json').send(written)
})
app.get<{ Params: { id: string }; Querystring: { before?: string } }>('/messages/:id', ({ params, query }) =>
  messagesOf(Number(params.id), Number(query.before ?? Number.MAX_SAFE_INTEGER)),
)
app.post<{ Params: { id: string }; Body: { id?: string; body: string } }>(
  '/messages/:id/1',
  ({ params, body }) => post(Number(params.id), { id: body.id ?? randomUUID(), body: body.body }),
)
// the page that the bench asks a product for its figures; statements are not counted
app.get('/metrics', () => {
  const { user, system } = process.cpuUsage()
  return `database_statements_total 0\nprocess_cpu_seconds_total ${(user + system) / 1e6}\n`
})
app.get('/health', () => ({}))
process.once('SIGTERM', () => process.exit(0))
const url = await app.listen({ port: 0, host: '127.0.0.1' })
console.log(url.replace('127.0.0.1', 'localhost'))
