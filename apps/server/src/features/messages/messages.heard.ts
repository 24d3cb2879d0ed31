import { randomUUID } from 'node:crypto'
import { READ, SENT } from '@balcao/contract/messages.rules.ts'
import type { Chat, Heard, HeardFile } from '../../driver.ts'
import { given, prepared } from '../../platform/db.prepared.ts'
import type { Tx } from '../../platform/scope.ts'
import { and, eq, inArray } from '../../platform/sql.ts'
import { inboundEvents, messages } from './messages.table.ts'

type HeardMessage = Extract<Heard, { kind: 'message' }>

/** News older than this came late (the phone was off): it keeps its own time instead of ours. */
const LATE_MS = 60_000

/** The journal's key of a piece of news: the same twice has the same; ids are unique only with the direction. */
export function keyOf(heard: Heard): string {
  const side = 'fromMe' in heard && heard.fromMe ? 1 : 0
  switch (heard.kind) {
    case 'message':
      return `m ${side} ${heard.externalId} ${heard.author?.value ?? ''}`
    case 'ack':
      return `a ${heard.externalId} ${heard.ack}`
    case 'reaction':
      return `r ${side} ${heard.target.externalId} ${whoReacted(heard)} ${heard.at} ${heard.emoji}`
    case 'edit':
      return `e ${side} ${heard.target.externalId} ${heard.externalId ?? heard.at}`
    case 'delete':
      return deletionKey(heard.target)
    case 'profile':
      return `p ${heard.chat.kind} ${heard.chat.value} ${heard.at}`
    case 'strange':
      return `s ${heard.externalId}`
    case 'identity':
      return `i ${heard.chat.kind} ${heard.chat.value} ${heard.chat.also?.value ?? ''}`
  }
}

const deletionKey = ({ externalId, fromMe }: { externalId: string; fromMe: boolean }) =>
  `d ${fromMe ? 1 : 0} ${externalId}`

/** Who reacted: a chat of two has one other person, whatever he is called by; a member of a group by his LID. */
export function whoReacted({
  fromMe,
  author,
}: Pick<Extract<Heard, { kind: 'reaction' }>, 'fromMe' | 'author'>) {
  if (fromMe) return 'me'
  if (!author) return 'contact'
  return author.also?.kind === 'lid' ? author.also.value : author.value
}

/** What was heard of a message before the message itself: its deletion, which may overtake it; null when nothing. */
export async function deletedBefore(
  tx: Tx,
  whatsappId: number,
  heard: HeardMessage,
): Promise<'deleted' | null> {
  const [row] = await noted(tx.sql, { companyId: tx.companyId, whatsappId, key: deletionKey(heard) })
  return row ? 'deleted' : null
}

/** This very piece of news was handled before. */
export async function wasHeard(tx: Tx, whatsappId: number, heard: Heard): Promise<boolean> {
  const [row] = await noted(tx.sql, { companyId: tx.companyId, whatsappId, key: keyOf(heard) })
  return Boolean(row?.handledAt)
}

const noted = prepared(sql =>
  sql
    .select({ handledAt: inboundEvents.handledAt })
    .from(inboundEvents)
    .where(
      and(
        eq(inboundEvents.companyId, given('companyId')),
        eq(inboundEvents.whatsappId, given('whatsappId')),
        eq(inboundEvents.key, given('key')),
      ),
    ),
)

/** A message that was heard, as a row; which ticket it belongs to is not said yet. */
export async function messageRowOf(
  tx: Tx,
  whatsappId: number,
  contactId: number,
  heard: HeardMessage,
  before: 'deleted' | null,
) {
  const { externalId, fromMe, body, mediaType, quotedExternalId, author, file, data } = heard
  const now = new Date().toISOString()
  return {
    id: randomUUID(),
    companyId: tx.companyId,
    contactId,
    whatsappId,
    externalId,
    fromMe,
    source: fromMe ? ('phone' as const) : ('contact' as const),
    body,
    mediaType,
    ...(file && { ...waitingFile(file, 'loading'), mediaDue: now }),
    ...(data && { dataJson: JSON.stringify(data) }),
    isForwarded: heard.isForwarded ?? false,
    ...(author && { author: authorOf(author) }),
    quotedId: quotedExternalId ? await quotedOf(tx, whatsappId, quotedExternalId) : null,
    isDeleted: before === 'deleted',
    ack: fromMe ? SENT : READ,
    read: fromMe,
    createdAt: timeOf(heard.at),
  }
}

/** What is known of a file whose bytes are fetched later. */
export function waitingFile({ source, ...media }: HeardFile, state: 'loading' | 'failed') {
  return { media: { ...media, state }, mediaSource: source }
}

/** A member of a group; the number stays empty while only a LID is known. */
export function authorOf(author: Chat & { name: string }) {
  const kind = author.kind === 'lid' ? ('lid' as const) : ('phone' as const)
  const phone = [author, author.also].find(one => one?.kind === 'phone')
  const number = phone?.value ?? ''
  return { kind, value: author.value, name: author.name || (number && `+${number}`), number }
}

async function quotedOf(tx: Tx, whatsappId: number, externalId: string) {
  const [row] = await tx.sql
    .select({ id: messages.id })
    .from(messages)
    .where(
      and(
        eq(messages.companyId, tx.companyId),
        eq(messages.whatsappId, whatsappId),
        inArray(messages.externalId, [externalId]),
      ),
    )
  return row?.id ?? null
}

function timeOf(at: string) {
  const now = Date.now()
  return now - Date.parse(at) > LATE_MS ? at : new Date(now).toISOString()
}
