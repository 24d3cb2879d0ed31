import type { BookEntry, Chat } from '../../driver.ts'
import { externalIdOf } from '../../platform/external.ts'
import { and, eq, ne, rowsFrom, sql as tag } from '../../platform/postgres/sql.ts'
import type { Tx } from '../../platform/scope.ts'
import { identifiersOf } from '../contacts/contacts.identifiers.queries.ts'
import { cloudBook } from './cloud.table.ts'

/** Stores entries, each with another canonical value, unless a later change of the same one is stored. Returns those that it stored. */
export const upsertBook = (tx: Tx, whatsappId: number, entries: BookEntry[]): Promise<BookEntry[]> =>
  tx.sql
    .insert(cloudBook)
    .values(
      entries.map(one => ({ ...one, value: externalIdOf(one.value), companyId: tx.companyId, whatsappId })),
    )
    .onConflictDoUpdate({
      target: [cloudBook.companyId, cloudBook.whatsappId, cloudBook.kind, cloudBook.value],
      set: { name: tag`excluded.name`, at: tag`excluded.at` },
      setWhere: tag`excluded.at >= ${cloudBook.at}`,
    })
    .returning({ kind: cloudBook.kind, value: cloudBook.value, name: cloudBook.name, at: cloudBook.at })

export async function hasBook(tx: Tx, whatsappId: number): Promise<boolean> {
  const rows = await tx.sql
    .select({ value: cloudBook.value })
    .from(cloudBook)
    .where(and(eq(cloudBook.companyId, tx.companyId), eq(cloudBook.whatsappId, whatsappId)))
    .limit(1)
  return rows.length > 0
}

/** What the address book calls people, by the value of their chat. */
export async function bookNames(tx: Tx, whatsappId: number, chats: Chat[]): Promise<Map<string, string>> {
  const asked = chats.flatMap(chat => identifiersOf(chat).map(one => ({ ...one, chat: chat.value })))
  const rows = await rowsFrom<{ chat: string; name: string }>(
    tx.sql,
    tag`select asked.chat, b.name from ${cloudBook} b
      join json_to_recordset(${JSON.stringify(asked)}::json) as asked (kind text, value text, chat text)
        on asked.kind = b.kind and asked.value = b.value
      where b.company_id = ${tx.companyId} and b.whatsapp_id = ${whatsappId} and b.name <> ''`,
  )
  return new Map(rows.map(({ chat, name }) => [chat, name]))
}

/** What address books of the company call a person, for an export. */
export const bookOf = (tx: Tx, addresses: string[]) =>
  tx.sql
    .select({ name: cloudBook.name, at: cloudBook.at })
    .from(cloudBook)
    .where(and(eq(cloudBook.companyId, tx.companyId), ne(cloudBook.name, ''), isOneOf(addresses)))

export const deleteFromBook = (tx: Tx, addresses: string[]) =>
  tx.sql.delete(cloudBook).where(and(eq(cloudBook.companyId, tx.companyId), isOneOf(addresses)))

const isOneOf = (addresses: string[]) =>
  tag`${cloudBook.value} in (select json_array_elements_text(${JSON.stringify(addresses)}::json))`
