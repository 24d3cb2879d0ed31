import { LAST_WORDS } from '@balcao/contract/tickets.rules.ts'
import type { Heard } from '../../driver.ts'
import type { Tx } from '../../platform/scope.ts'
import { and, eq, inArray, sql as tag } from '../../platform/sql.ts'
import { contactsBehind, identifiersOf } from '../contacts/contacts.queries.ts'
import { lockRows, tellMoved } from '../tickets/tickets.merge.ts'
import { emitTicketOpened, ensureKept, ensureOpen } from '../tickets/tickets.open.ts'
import { giveTicket } from '../tickets/tickets.part.ts'
import { tickets } from '../tickets/tickets.table.ts'
import { inboundEvents, messages } from './messages.table.ts'

/** What was said with a contact was said with another. */
export async function moveMessages(tx: Tx, { from, into }: { from: number; into: number }): Promise<void> {
  await tx.sql
    .update(messages)
    .set({ contactId: into })
    .where(and(eq(messages.companyId, tx.companyId), eq(messages.contactId, from)))
}

/**
 * A merge is undone: what was said stands with its ticket, and what was heard since with whom it was heard from. A ticket
 * that was opened since goes whole where all the customer said in it is from the other.
 */
export async function partMessages(
  tx: Tx,
  { into, from, at }: { into: number; from: number; at: string },
): Promise<void> {
  await follow(tx, from)
  const strays = await straysSince(tx, [into, from], at)
  for (const [ticketId, those] of Map.groupBy(strays, ({ ticketId }) => ticketId)) {
    const { contactId } = those[0]!
    if ((await isAllFrom(tx, ticketId, those, at)) && (await giveTicket(tx, ticketId, contactId)))
      await follow(tx, contactId)
    else await handOver(tx, ticketId, those)
  }
}

/** Messages are with whom their tickets are. */
const follow = (tx: Tx, contactId: number) =>
  tx.sql.execute(tag`update ${messages} m set contact_id = t.contact_id from ${tickets} t
    where t.company_id = ${tx.companyId} and t.contact_id = ${contactId}
      and m.company_id = t.company_id and m.ticket_id = t.id and m.contact_id <> t.contact_id`)

/** Heard from somebody else than the contact that it stands with. */
interface Stray {
  id: string
  ticketId: number
  whatsappId: number
  fromMe: boolean
  createdAt: string
  /** Whose it is. */
  contactId: number
}

/** The raw log remembers which chat each message came in. */
async function straysSince(tx: Tx, pair: number[], at: string): Promise<Stray[]> {
  const rows = await tx.sql
    .select({
      id: messages.id,
      ticketId: messages.ticketId,
      whatsappId: inboundEvents.whatsappId,
      fromMe: messages.fromMe,
      createdAt: messages.createdAt,
      standsWith: messages.contactId,
      heard: inboundEvents.heard,
    })
    .from(messages)
    .innerJoin(
      inboundEvents,
      and(
        eq(inboundEvents.companyId, messages.companyId),
        eq(inboundEvents.whatsappId, messages.whatsappId),
        tag`${inboundEvents.key} = 'm ' || ${messages.fromMe}::int || ' ' || ${messages.externalId} || ' '`,
      ),
    )
    .where(
      and(
        eq(messages.companyId, tx.companyId),
        inArray(messages.contactId, pair),
        tag`${inboundEvents.heardAt} >= ${at}::timestamptz`,
      ),
    )
    .orderBy(messages.position)
  const strays: Stray[] = []
  const known = new Map<string, number | undefined>()
  for (const { heard, standsWith, ...row } of rows) {
    const { chat } = JSON.parse(heard) as Heard
    const key = JSON.stringify(chat)
    if (!known.has(key)) known.set(key, (await contactsBehind(tx, identifiersOf(chat)))[0]?.id)
    const contactId = known.get(key)
    if (contactId !== undefined && contactId !== standsWith && pair.includes(contactId))
      strays.push({ ...row, contactId })
  }
  return strays
}

/** A ticket that was opened since, in which the other said nothing. */
async function isAllFrom(tx: Tx, ticketId: number, strays: Stray[], at: string): Promise<boolean> {
  const heard = strays.map(({ id }) => id)
  const { rows } = (await tx.sql.execute(tag`
    select t.created_at >= ${at}::timestamptz and not exists (select from ${messages} m
      where m.company_id = t.company_id and m.ticket_id = t.id and not m.from_me
        and m.id <> all(${`{${heard}}`}::uuid[])) as is_all
    from ${tickets} t where t.company_id = ${tx.companyId} and t.id = ${ticketId}`)) as {
    rows: { is_all: boolean }[]
  }
  return rows[0]!.is_all
}

/** Messages of a ticket go to the one that their own contact has there; what is unread among them is unread there. */
async function handOver(tx: Tx, ticketId: number, strays: Stray[]) {
  const { contactId, whatsappId, createdAt } = strays[0]!
  const questions = strays.filter(({ fromMe }) => !fromMe).length
  const contact = { id: contactId, isGroup: false }
  const place =
    questions > 0
      ? await ensureOpen(tx, contact, whatsappId)
      : { id: await ensureKept(tx, contact, whatsappId), isNew: false }
  const stood = await lockRows(tx, [ticketId, place.id])
  const unread = Math.min(questions, stood.get(ticketId)!.unreadMessages)
  await tx.sql
    .update(messages)
    .set({ ticketId: place.id, contactId, version: tag`${messages.version} + 1` })
    .where(
      and(
        eq(messages.companyId, tx.companyId),
        inArray(
          messages.id,
          strays.map(({ id }) => id),
        ),
      ),
    )
  await showLast(tx, ticketId, -unread, null)
  await showLast(tx, place.id, place.isNew ? questions : unread, createdAt)
  if (place.isNew) {
    await emitTicketOpened(tx, place.id)
    stood.delete(place.id)
  }
  await tellMoved(tx, stood)
}

/** The list's row says what is said last there now, and who has waited since when. */
const showLast = (tx: Tx, ticketId: number, unread: number, since: string | null) =>
  tx.sql.execute(tag`
    update ${tickets} t set last_message = coalesce(case when m.is_deleted then '' else left(m.body, ${LAST_WORDS}) end, ''),
      last_message_id = m.id, last_message_from_me = coalesce(m.from_me, false), last_message_ack = coalesce(m.ack, 0),
      last_message_type = case when m.is_deleted then 'deleted' else m.media_type end,
      unread_messages = greatest(t.unread_messages + ${unread}::int, 0),
      waiting_since = case when t.unread_messages + ${unread}::int > 0 then coalesce(t.waiting_since, ${since}::timestamptz) end,
      updated_at = greatest(t.updated_at, ${since}::timestamptz), version = t.version + 1
    from (select true as one) one left join lateral (select * from messages
      where company_id = ${tx.companyId} and ticket_id = ${ticketId} order by position desc, id desc limit 1) m on true
    where t.company_id = ${tx.companyId} and t.id = ${ticketId}`)
