import { randomUUID } from 'node:crypto'
import { READ, SENT } from '@balcao/contract/messages.rules.ts'
import type { Heard } from '../../channels/driver.ts'
import type { Tx } from '../../platform/scope.ts'
import { sql as tag } from '../../platform/sql.ts'
import { tickets } from '../tickets/tickets.table.ts'
import { messages } from './messages.table.ts'

export interface OldRow {
  ticketId: number
  contactId: number
  /** The source of its file is sealed. */
  heard: Extract<Heard, { kind: 'message' }>
}

/**
 * Writes old messages with the times they had, in two statements however many: the rows, and the tickets' rows of
 * the list where nothing newer was said. What is known stays as it is. Nothing is unread and nobody is told.
 */
export async function insertOld(tx: Tx, whatsappId: number, rows: OldRow[]): Promise<void> {
  if (rows.length === 0) return
  const written = rows.map(row => rowOf(whatsappId, row))
  await tx.sql.execute(tag`
    insert into ${messages} (company_id, id, ticket_id, contact_id, whatsapp_id, external_id, from_me, body, media_type,
      media, media_source, data_json, is_forwarded, author, ack, read, created_at)
    select ${tx.companyId}::int, x.* from jsonb_to_recordset(${JSON.stringify(written)}::jsonb) as x (id uuid, ticket_id int,
      contact_id int, whatsapp_id int, external_id text, from_me bool, body text, media_type text, media jsonb,
      media_source text, data_json text, is_forwarded bool, author jsonb, ack int, read bool, created_at timestamptz)
    on conflict do nothing`)
  await tx.sql.execute(tag`
    update ${tickets} t set last_message = left(m.body, 300), last_message_id = m.id, last_message_from_me = m.from_me,
      last_message_ack = m.ack, last_message_type = m.media_type, version = t.version + 1,
      updated_at = greatest(t.updated_at, m.created_at)
    from (select distinct on (ticket_id) * from ${messages}
      where company_id = ${tx.companyId} and ticket_id = any(${`{${[...new Set(rows.map(row => row.ticketId))]}}`}::int[])
      order by ticket_id, created_at desc, id desc) m
    where t.company_id = ${tx.companyId} and t.id = m.ticket_id and t.last_message_id is distinct from m.id`)
}

function rowOf(whatsappId: number, { ticketId, contactId, heard }: OldRow) {
  const { externalId, fromMe, body, mediaType, file, data, isForwarded, author, at } = heard
  const media = file && {
    state: 'failed', // old files are fetched when somebody asks for them
    name: file.name,
    type: file.type,
    size: file.size,
    seconds: file.seconds,
    width: file.width,
    height: file.height,
    isVoice: file.isVoice,
  }
  return {
    id: randomUUID(),
    ticket_id: ticketId,
    contact_id: contactId,
    whatsapp_id: whatsappId,
    external_id: externalId,
    from_me: fromMe,
    body,
    media_type: mediaType,
    media: media ?? null,
    media_source: file?.source ?? null,
    data_json: data ? JSON.stringify(data) : null,
    is_forwarded: isForwarded ?? false,
    author: author ? { ...author, number: author.kind === 'phone' ? author.value : '' } : null,
    ack: fromMe ? SENT : READ,
    read: true,
    created_at: at,
  }
}
