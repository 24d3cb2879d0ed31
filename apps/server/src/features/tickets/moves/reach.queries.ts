import type { Lib } from '@balcao/contract/connections.ts'
import type { Chat } from '../../../driver.ts'
import { databaseTime } from '../../../platform/clock.ts'
import { and, eq, gt, ne, sql as tag } from '../../../platform/postgres/sql.ts'
import type { Tx } from '../../../platform/scope.ts'
import { findConnection } from '../../connections/connections.queries.ts'
import { findChat } from '../../contacts/contacts.queries.ts'
import { contacts } from '../../contacts/contacts.table.ts'
import { tickets } from '../tickets.table.ts'

/** Which of a contact's addresses a connection can write to: groups and LIDs are not on the official API, its user ids only there. */
const REACHED: Record<Lib, Chat['kind'][]> = {
  cloud: ['phone', 'cloud'],
  baileys: ['phone', 'lid', 'group'],
  simulator: ['phone', 'lid', 'group'],
}

/** Whether a connection can write to a contact. */
export async function reaches(tx: Tx, contactId: number, whatsappId: number): Promise<boolean> {
  const chat = await findChat(tx, contactId)
  return chat !== null && reachesOver((await findConnection(tx, whatsappId)).lib, chat)
}

/** Whether a connection of that kind can write to a chat; null for a contact without an address. */
export const reachesOver = (lib: Lib, chat: Chat | null): boolean =>
  chat !== null && [chat, chat.also].some(address => address && REACHED[lib].includes(address.kind))

/** How many living tickets a connection has, and how many of their contacts another one cannot write to. */
export async function countHeirless(
  tx: Tx,
  whatsappId: number,
  heirId: number,
): Promise<{ tickets: number; unreachable: number }> {
  const { lib } = await findConnection(tx, heirId)
  const { number, lid, cloudId, isGroup } = contacts
  const own = lib === 'cloud' ? tag`(${isGroup} or ${cloudId} = '')` : tag`${lid} = ''`
  const isOut =
    lib === 'cloud' ? tag`${own} and (${isGroup} or ${number} = '')` : tag`${own} and ${number} = ''`
  const [row] = await tx.sql
    .select({
      tickets: tag<number>`count(*)::int`,
      unreachable: tag<number>`count(*) filter (where ${isOut})::int`,
    })
    .from(tickets)
    .innerJoin(contacts, and(eq(contacts.companyId, tickets.companyId), eq(contacts.id, tickets.contactId)))
    .where(
      and(
        eq(tickets.companyId, tx.companyId),
        eq(tickets.whatsappId, whatsappId),
        ne(tickets.status, 'closed'),
      ),
    )
  return row!
}

/**
 * End of the customer service window of a contact on a connection; null where none applies. On the official API it is
 * 24 hours after the contact's last message there, which earlier tickets keep; without any, only templates may be sent.
 */
export async function repliesUntilOn(
  tx: Tx,
  contactId: number,
  whatsappId: number | null,
): Promise<string | null> {
  if (whatsappId === null || (await findConnection(tx, whatsappId)).lib !== 'cloud') return null
  return windowOn(tx, contactId, whatsappId)
}

/** The same on a connection of the official API. */
export async function windowOn(tx: Tx, contactId: number, whatsappId: number): Promise<string> {
  const [known] = await tx.sql
    .select({ until: tag<string | null>`max(${tickets.repliesUntil})`.mapWith(tickets.repliesUntil) })
    .from(tickets)
    .where(onConnection(tx, contactId, whatsappId))
  return known?.until ?? databaseTime()
}

/** Ends windows that were open at `at`, unless the contact wrote after it. Returns the ids of the tickets. */
export async function endWindows(tx: Tx, contactId: number, whatsappId: number, at: string) {
  const now = databaseTime()
  const ended = await tx.sql
    .update(tickets)
    .set({ repliesUntil: now, version: tag`${tickets.version} + 1` })
    .where(
      and(
        onConnection(tx, contactId, whatsappId),
        gt(tickets.repliesUntil, now),
        tag`${tickets.repliesUntil} <= ${at}::timestamptz + interval '24 hours'`,
      ),
    )
    .returning({ id: tickets.id })
  return ended.map(({ id }) => id)
}

const onConnection = (tx: Tx, contactId: number, whatsappId: number) =>
  and(
    eq(tickets.companyId, tx.companyId),
    eq(tickets.contactId, contactId),
    eq(tickets.whatsappId, whatsappId),
  )
