import { sizeOf } from './dataset.ts'
import { inFolder } from './place.ts'

/**
 * Bytes of a row, measured, and the resulting size of 100 companies with 2,000 messages a day within two years, for
 * docs/growth.md: `node bench/growth.ts` (in a folder of its own with TMPDIR).
 */
const MESSAGES_A_DAY = 100 * 2_000
const DAYS = 730
/** Tables as they live are looser than freshly filled ones. */
const LOOSE = 1.4

interface Growing {
  /** Rows for each message. */
  each: number
  /** Days that a row is kept; for ever where there is none. */
  days?: number
  /** Columns and values of a typical row number `n`, where the data set has none. */
  row?: string
}

const uuid = 'gen_random_uuid()'
const words = "repeat('Bom dia, o pedido chegou. ', 3)"
const said = `jsonb_build_object('kind', 'message', 'chat', jsonb_build_object('kind', 'phone', 'value', '55119' || n),
  'externalId', md5(n::text), 'name', 'Ana Souza', 'body', ${words}, 'at', now())`

const growing: Record<string, Growing> = {
  messages: { each: 1 },
  tickets: { each: 0.1 },
  ticket_history: { each: 0.3 },
  ticket_tags: { each: 0.05 },
  contacts: { each: 0.01 },
  contact_identifiers: { each: 0.01 },
  inbound_events: {
    each: 2,
    days: 30,
    row: `(company_id, whatsapp_id, key, chat, heard, handled_at) select 2, 2, md5(n::text), '55119' || n, (${said})::text, now()`,
  },
  cloud_deliveries: {
    each: 2,
    days: 8,
    row: `(company_id, whatsapp_id, digest, body, handled_at) select 2, 2, md5(n::text) || md5(n::text), (${said})::text || (${said})::text, now()`,
  },
  cloud_sent: {
    each: 0.5,
    days: 365,
    row: `(company_id, whatsapp_id, external_id, wamid) select 2, 2, upper(md5(n::text)), 'wamid.' || md5(n::text) || md5((n + 1)::text)`,
  },
  webhook_deliveries: {
    each: 0.2,
    days: 30,
    row: `(company_id, id, webhook_id, event, cause, body, state) select 2, ${uuid}, 1, 'message.created', 'message:' || ${uuid}, (${said})::text, 'delivered'`,
  },
  api_sends: { each: 0.1, days: 90 },
  flow_runs: {
    each: 0.02,
    days: 90,
    row: `(company_id, ticket_id, flow_id, name, cause, started_at, ends_at, ended_at) select 2, n, 1, 'Boas-vindas', 'bot:' || ${uuid}, now(), now(), now()`,
  },
  bot_calls: {
    each: 0.02,
    days: 90,
    row: `(company_id, id, bot_setup_id, command_id, number, url, body, state) select 2, ${uuid}, 1, 1, '1', 'https://sistema.exemplo/gancho', (${said})::text, 'delivered'`,
  },
  gpt_answers: {
    each: 0.1,
    days: 730,
    row: `(company_id, bot_config_id, ticket_id, model, prompt_tokens, completion_tokens, ms, outcome) select 2, 1, n, 'gpt-4o-mini', 900, 80, 1200, 'answered'`,
  },
  gpt_dialogs: {
    each: 0.02,
    days: 90,
    row: `(company_id, ticket_id, bot_config_id, from_position, ended_at) select 2, n, 1, n, now()`,
  },
  campaign_dispatches: {
    each: 0.1,
    row: `(company_id, campaign_id, position, name, number, key, status, contact_id, ticket_id, greeting, message) select 2, 1, n, 'Ana Souza', '55119' || n, '55119' || n, 'sentSuccess', n, n, ${words}, ${words}`,
  },
  campaign_posts: {
    each: 0.15,
    row: `(company_id, dispatch_id, place, part, is_last, message_id) select 2, n, 0, 'greeting', true, ${uuid}`,
  },
}

const SAMPLE = 20_000

const place = inFolder()
try {
  await place.fill(sizeOf(0.1))
  for (const [table, { row }] of Object.entries(growing))
    if (row)
      // the rows alone, without what they hang on
      await place.query(`do $$ begin set local session_replication_role = replica;
        insert into ${table} ${row} from generate_series(1, ${SAMPLE}) n; end $$`)
  for (const table of Object.keys(growing)) await place.sweep(table)
  const measured = await place.query<{ name: string; rows: number; heap: number; indexes: number }>(
    `select relname as name, n_live_tup::int as rows, pg_table_size(relid)::float8 as heap, pg_indexes_size(relid)::float8 as indexes
     from pg_stat_user_tables where n_live_tup > 200`,
  )
  console.log(
    '| table | bytes a row (of it indexes) | rows a message | kept | rows after 2 years | GB |\n|---|---|---|---|---|---|',
  )
  for (const [table, { each, days }] of Object.entries(growing)) {
    const found = measured.find(({ name }) => name === table)
    if (!found) continue
    const [heap, indexes] = [found.heap / found.rows, found.indexes / found.rows]
    const rows = MESSAGES_A_DAY * each * Math.min(DAYS, days ?? DAYS)
    const gigabytes = (rows * (heap + indexes) * LOOSE) / 1e9
    console.log(
      `| ${table} | ${Math.round(heap + indexes)} (${Math.round(indexes)}) | ${each} | ${days ? `${days} days` : 'for ever'} ` +
        `| ${(rows / 1e6).toFixed(1)} M | ${gigabytes.toFixed(1)} |`,
    )
  }
} finally {
  await place.remove()
}
