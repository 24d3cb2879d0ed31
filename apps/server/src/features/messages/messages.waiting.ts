import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import type { HeardFile, Outgoing, OutgoingContent } from '../../driver.ts'
import { given, prepared } from '../../platform/db.prepared.ts'
import { keyAt } from '../../platform/files.served.ts'
import type { Files } from '../../platform/files.ts'
import type { Tx } from '../../platform/scope.ts'
import { and, asc, eq, isNotNull, lte, type SQL, sql as tag } from '../../platform/sql.ts'
import { contacts } from '../contacts/contacts.table.ts'
import { messageOperations, messages, wakesAt } from './messages.table.ts'

/** So many messages, or things to be done to them, are looked at together. */
export const BATCH = 100

const stored = {
  body: messages.body,
  mediaType: messages.mediaType,
  mediaUrl: messages.mediaUrl,
  media: messages.media,
  dataJson: messages.dataJson,
}

/**
 * What waits to be sent on a connection, in its order, but for chats that are busy. With what is not due yet (`dueIn`
 * milliseconds, above 0) but has to be looked at within `soonMs`: it stands behind what is due. Nothing of a company that
 * is suspended: whoever put it there, it waits until the company pays.
 */
export const unsentMessages = (tx: Tx, whatsappId: number, without: number[], soonMs: number) =>
  unsent(tx.sql, { companyId: tx.companyId, whatsappId, without: `{${without}}`, soonMs })

const millisecondsUntil = (at: AnyPgColumn) =>
  tag<number>`coalesce(ceil(extract(epoch from ${at} - now()) * 1000)::int, 0)`
const dueIn = millisecondsUntil(messages.dueAt)

const isNotSuspended = tag`(select c.suspended_at is null from companies c where c.id = ${given('companyId')})`

const unsent = prepared(sql =>
  sql
    .select({
      id: messages.id,
      externalId: messages.externalId,
      contactId: messages.contactId,
      ...stored,
      attempts: messages.attempts,
      dueIn,
      typing: messages.typing,
      typingIn: millisecondsUntil(messages.typingFrom),
      contact: {
        number: contacts.number,
        lid: contacts.lid,
        cloudId: contacts.cloudId,
        isGroup: contacts.isGroup,
      },
      quoted: tag<Outgoing['quoted'] | null>`(
        select json_strip_nulls(json_build_object('externalId', q.external_id, 'fromMe', q.from_me, 'body', q.body,
          'author', case when q.author is not null
            then json_build_object('kind', q.author->>'kind', 'value', q.author->>'value') end)) from messages q
        where q.company_id = ${messages.companyId} and q.id = ${messages.quotedId})`,
    })
    .from(messages)
    .innerJoin(contacts, and(eq(contacts.companyId, messages.companyId), eq(contacts.id, messages.contactId)))
    .where(
      and(
        eq(messages.companyId, given('companyId')),
        eq(messages.whatsappId, given('whatsappId')),
        tag`${messages.outbox} in ('queued', 'sending', 'unknown')`,
        tag`${messages.contactId} <> all(${given('without')}::int[])`,
        tag`${wakesAt(messages)} <= now() + ${given('soonMs')}::int * interval '1 millisecond'`,
        isNotSuspended,
      ),
    )
    .orderBy(tag`${dueIn} > 0`, asc(wakesAt(messages)), asc(messages.position))
    .limit(BATCH),
)

/**
 * What waited for its time and could not leave (the product or the network was away) leaves now, and what follows it on
 * its ticket as long after it as was meant: a customer who was told nothing for an hour is not told everything at once.
 * What began to leave before (its time is `created_at`) counts as the first of them. A bot and its flows are one who speaks.
 */
export const keepGaps = (tx: Tx, whatsappId: number, contactIds: number[]) =>
  tx.sql.execute(tag`
    update ${messages} m set due_at = m.due_at + late.by, typing_from = m.typing_from + late.by
    from (
      select ticket_id, ${speaker} as speaker, now() - min(coalesce(due_at, created_at)) as by from ${messages}
      where company_id = ${tx.companyId} and whatsapp_id = ${whatsappId} and contact_id = any(${`{${contactIds}}`}::int[])
        and outbox in ('queued', 'sending', 'unknown') and (due_at is not null or outbox <> 'queued')
      group by ticket_id, ${speaker}
    ) late
    where m.company_id = ${tx.companyId} and m.ticket_id = late.ticket_id and ${speaker} = late.speaker
      and m.whatsapp_id = ${whatsappId} and m.outbox = 'queued' and m.due_at is not null and late.by > interval '0'`)

const speaker = tag.raw(`case source when 'flow' then 'bot' else source end`)

/** What one of our messages said; null when the id is not ours. */
export async function sentMessage(tx: Tx, files: Files, whatsappId: number, externalId: string) {
  const [row] = await tx.sql
    .select(stored)
    .from(messages)
    .where(
      and(
        eq(messages.companyId, tx.companyId),
        eq(messages.whatsappId, whatsappId),
        eq(messages.externalId, externalId),
        eq(messages.fromMe, true),
      ),
    )
  return row ? { body: row.body, content: outgoingContentOf(row, files, tx.companyId) } : null
}

/**
 * How often each was tried with this time, 0 when it does not wait any more. What waited for its time takes its place in
 * the conversation now.
 */
export async function beginSending(tx: Tx, ids: string[]): Promise<number[]> {
  const rows = await beginMany(tx.sql, { companyId: tx.companyId, ids: `{${ids}}` })
  const tried = new Map(rows.map(({ id, attempts }) => [id, attempts]))
  return ids.map(id => tried.get(id) ?? 0)
}

const areThese = and(
  eq(messages.companyId, given('companyId')),
  tag`${messages.id} = any(${given('ids')}::uuid[])`,
)

const whenDue = (column: AnyPgColumn, then: SQL) =>
  tag`case when ${messages.dueAt} is null then ${column} else ${then} end`
const leavesNow = {
  position: whenDue(messages.position, tag`nextval('messages_position_seq')`),
  createdAt: whenDue(messages.createdAt, tag`now()`),
  dueAt: null,
  typing: null,
  typingFrom: null,
}

const beginMany = prepared(sql =>
  sql
    .update(messages)
    .set({
      outbox: 'sending',
      attempts: tag`${messages.attempts} + 1`,
      ...leavesNow,
    })
    .where(and(areThese, tag`${messages.outbox} in ('queued', 'sending', 'unknown')`))
    .returning({ id: messages.id, attempts: messages.attempts }),
)

/** Nobody knows whether they left: they are looked at again. */
export const keepUnknown = (tx: Tx, ids: string[]) =>
  markUnknown(tx.sql, { companyId: tx.companyId, ids: `{${ids}}` })

const markUnknown = prepared(sql => sql.update(messages).set({ outbox: 'unknown' }).where(areThese))
type Stored = Pick<typeof messages.$inferSelect, 'mediaType' | 'mediaUrl' | 'media' | 'dataJson'>

/** What a stored message says, as a driver takes it. */
export function outgoingContentOf(
  { mediaType, mediaUrl, media, dataJson }: Stored,
  files: Files,
  companyId: number,
): OutgoingContent {
  if (media && mediaUrl) {
    const key = keyAt(mediaUrl)!
    const open = async () => (await files.open(companyId, key)).stream
    const { sha256, ...shown } = media
    return { kind: 'file', as: mediaType as FileContent['as'], media: shown, key: sha256 ?? key, open }
  }
  const data = dataJson ? JSON.parse(dataJson) : null
  if (mediaType === 'location') return { kind: 'location', place: data }
  if (mediaType === 'vcard') return { kind: 'contacts', cards: data }
  if (data?.offer) return { kind: 'choices', choices: data.offer }
  return data?.template ? { kind: 'template', ...data.template } : { kind: 'text' }
}
type FileContent = Extract<OutgoingContent, { kind: 'file' }>

/** What waits to be done to messages of a connection, in the order in which it was asked for; of one that is suspended nothing. */
export const pendingOperations = (tx: Tx, whatsappId: number) =>
  waitingOperations(tx.sql, { companyId: tx.companyId, whatsappId })

const waitingOperations = prepared(sql =>
  sql
    .select({
      id: messageOperations.id,
      messageId: messageOperations.messageId,
      what: messageOperations.what,
      value: messageOperations.value,
      attempts: messageOperations.attempts,
      contactId: messages.contactId,
      message: {
        externalId: messages.externalId,
        fromMe: messages.fromMe,
        author: messages.author,
        outbox: messages.outbox,
      },
      contact: {
        number: contacts.number,
        lid: contacts.lid,
        cloudId: contacts.cloudId,
        isGroup: contacts.isGroup,
      },
    })
    .from(messageOperations)
    .innerJoin(
      messages,
      and(eq(messages.companyId, messageOperations.companyId), eq(messages.id, messageOperations.messageId)),
    )
    .innerJoin(contacts, and(eq(contacts.companyId, messages.companyId), eq(contacts.id, messages.contactId)))
    .where(
      and(
        eq(messageOperations.companyId, given('companyId')),
        eq(messageOperations.whatsappId, given('whatsappId')),
        tag`coalesce(${messages.outbox}, 'done') in ('done', 'failed')`,
        isNotSuspended,
      ),
    )
    .orderBy(asc(messageOperations.id))
    .limit(BATCH),
)

export const countTry = (tx: Tx, id: number) =>
  tx.sql
    .update(messageOperations)
    .set({ attempts: tag`${messageOperations.attempts} + 1` })
    .where(and(eq(messageOperations.companyId, tx.companyId), eq(messageOperations.id, id)))

/** Files that are due to be fetched. */
export const filesDue = (tx: Tx, whatsappId: number) =>
  tx.sql
    .select({
      id: messages.id,
      media: tag<HeardFile>`${messages.media}`,
      source: tag<string>`${messages.mediaSource}`,
      attempts: messages.mediaAttempts,
    })
    .from(messages)
    .where(
      and(
        eq(messages.companyId, tx.companyId),
        eq(messages.whatsappId, whatsappId),
        lte(messages.mediaDue, tag`now()`),
        isNotNull(messages.mediaSource),
      ),
    )
    .orderBy(asc(messages.mediaDue))
    .limit(100)

/** A file that could not be fetched is due again later. */
export const putOffFile = (tx: Tx, messageId: string, mediaAttempts: number, mediaDue: string) =>
  tx.sql
    .update(messages)
    .set({ mediaAttempts, mediaDue })
    .where(and(eq(messages.companyId, tx.companyId), eq(messages.id, messageId)))
