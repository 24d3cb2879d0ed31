import { randomBytes } from 'node:crypto'
import { READ, SENT } from '@balcao/contract/messages.rules.ts'
import { LAST_WORDS } from '@balcao/contract/tickets.rules.ts'
import type { InboundEvent } from '../../../driver.ts'
import { rowsFrom, sql as tag } from '../../../platform/postgres/sql.ts'
import type { Tx } from '../../../platform/scope.ts'
import { tickets } from '../../tickets/tickets.table.ts'
import { reactionsOf, withAnswers } from '../inbound/answers.rules.ts'
import { authorOf, fileToFetch } from '../inbound/inbound.rules.ts'
import { messages } from '../messages.table.ts'

/** The kind of an old message whose file follows as a message of the same id, or never does (official API). */
export const PLACEHOLDER = 'media_placeholder'

export interface OldRow {
  ticketId: number
  contactId: number
  /** The source of its file is encrypted. */
  event: Extract<InboundEvent, { kind: 'message' }>
  /** Rises in the order in which the phone delivers. */
  nth: number
}

/**
 * Inserts imported messages with their own times, in two statements: the messages, and the previews of tickets without
 * newer messages. Known messages stay as they are, but for files of those that came without; nothing is unread, no event is emitted. Among live messages they get the
 * position of their time, and among themselves the order of their ids.
 */
export async function insertOld(tx: Tx, whatsappId: number, rows: OldRow[]): Promise<void> {
  if (rows.length === 0) return
  const written = rows.map(row => oldRowOf(whatsappId, row))
  const stored = await rowsFrom<{ id: string }>(
    tx.sql,
    tag`
    insert into ${messages} (company_id, id, ticket_id, contact_id, whatsapp_id, external_id, from_me, source, body, media_type,
      media, media_source, data_json, referral, is_forwarded, author, reactions, edited_at, ack, read, created_at, position)
    select ${tx.companyId}::int, x.*, coalesce((select max(m.position) from ${messages} m where m.company_id = ${tx.companyId}
      and m.contact_id = x.contact_id and m.position > 1 and m.created_at <= x.created_at), 0) | 1 from jsonb_to_recordset(${JSON.stringify(written)}::jsonb) as x (id uuid, ticket_id int,
      contact_id int, whatsapp_id int, external_id text, from_me bool, source text, body text, media_type text, media jsonb,
      media_source text, data_json text, referral jsonb, is_forwarded bool, author jsonb, reactions jsonb, edited_at timestamptz, ack int, read bool, created_at timestamptz)
    on conflict (company_id, whatsapp_id, external_id, from_me) do update set body = excluded.body,
      media_type = excluded.media_type, media = excluded.media, media_source = excluded.media_source,
      version = messages.version + 1
      where messages.media_type = ${PLACEHOLDER} and excluded.media_type <> ${PLACEHOLDER} and not messages.is_deleted
    returning id`,
  )
  await tx.sql.execute(tag`
    update ${tickets} t set last_message = left(m.body, ${LAST_WORDS}), last_message_id = m.id, last_message_from_me = m.from_me,
      last_message_ack = m.ack, last_message_type = m.media_type, version = t.version + 1,
      updated_at = greatest(t.updated_at, m.created_at)
    from (select distinct on (ticket_id) * from ${messages}
      where company_id = ${tx.companyId} and ticket_id = any(${`{${[...new Set(rows.map(row => row.ticketId))]}}`}::int[])
      order by ticket_id, position desc, id desc) m
    where t.company_id = ${tx.companyId} and t.id = m.ticket_id and m.id = any(${`{${stored.map(({ id }) => id)}}`}::uuid[])`)
}

function oldRowOf(whatsappId: number, { ticketId, contactId, event, nth }: OldRow) {
  const { externalId, fromMe, body, mediaType, file, referral, isForwarded, author, past, at } = event
  // old files are fetched on request
  const { media, mediaSource } = file ? fileToFetch(file, 'failed') : {}
  return {
    id: idAt(at, nth),
    ticket_id: ticketId,
    contact_id: contactId,
    whatsapp_id: whatsappId,
    external_id: externalId,
    from_me: fromMe,
    source: fromMe ? 'phone' : 'contact',
    body,
    media_type: mediaType,
    media: media ?? null,
    media_source: mediaSource ?? null,
    data_json: dataOf(event),
    referral: referral ?? null,
    is_forwarded: isForwarded ?? false,
    author: author ? authorOf(author) : null,
    reactions: reactionsOf(past),
    edited_at: past?.editedAt ?? null,
    ack: fromMe ? (past?.ack ?? SENT) : READ,
    read: true,
    created_at: at,
  }
}

/** With the votes and replies that it has got since. */
function dataOf({ mediaType, data, past }: OldRow['event']): string | null {
  const dataJson = data ? JSON.stringify(data) : null
  const answered = past?.answers.length ? withAnswers({ mediaType, dataJson }, past.answers) : null
  return answered ? JSON.stringify(answered) : dataJson
}

const NTHS = 2 ** 24

/** Ids rise with the time, and within one second against the order of the phone, which delivers the newest first. */
function idAt(at: string, nth: number) {
  const ms = Math.max(0, Date.parse(at)).toString(16).padStart(12, '0')
  const turn = (NTHS - 1 - (nth % NTHS)).toString(16).padStart(6, '0')
  return `${ms.slice(0, 8)}-${ms.slice(8)}-7${turn.slice(0, 3)}-a${turn.slice(3)}-${randomBytes(6).toString('hex')}`
}
