import type { PageQuery } from '@balcao/contract/kit.ts'
import { type OptOut, type OptOutSettings, usualStopWords } from '@balcao/contract/optOuts.ts'
import { refuse } from '../../platform/errors.ts'
import { containing, onePage } from '../../platform/lists.ts'
import type { Tx } from '../../platform/scope.ts'
import { and, desc, eq, type SQL, sql as tag } from '../../platform/sql.ts'
import { contactIdentifiers, contacts } from '../contacts/contacts.table.ts'
import { messages } from '../messages/messages.table.ts'
import { users } from '../users/users.table.ts'
import { optOutSettings, optOuts } from './optOuts.table.ts'

const itsContact = tag<OptOut['contact']>`(
  select json_build_object('id', c.id, 'name', c.name) from contact_identifiers i
  join contacts c on c.company_id = i.company_id and c.id = i.contact_id
  where i.company_id = ${optOuts.companyId} and i.kind = 'phone' and i.value = ${optOuts.key})`

const select = (tx: Tx, where?: SQL) =>
  tx.sql
    .select({
      id: optOuts.id,
      number: optOuts.number,
      contact: itsContact,
      source: optOuts.source,
      word: optOuts.word,
      user: { id: users.id, name: users.name },
      createdAt: optOuts.createdAt,
    })
    .from(optOuts)
    .leftJoin(users, and(eq(users.companyId, optOuts.companyId), eq(users.id, optOuts.userId)))
    .where(and(eq(optOuts.companyId, tx.companyId), where))

/** One page, the newest first. */
export async function listOptOuts(tx: Tx, asked: PageQuery) {
  const found = select(tx, containing(asked.searchParam, optOuts.number)).orderBy(desc(optOuts.id))
  const { rows, hasMore } = await onePage(asked, (limit, offset) => found.limit(limit).offset(offset))
  return { optOuts: rows, hasMore }
}

/** Refuses with ERR_NOT_FOUND. */
export async function findOptOut(tx: Tx, optOutId: number): Promise<OptOut> {
  const [row] = await select(tx, eq(optOuts.id, optOutId))
  return row ?? refuse('ERR_NOT_FOUND', { field: 'optOutId' })
}

/** By any number of the contact; null when it said nothing. */
export async function optOutOf(tx: Tx, contactId: number): Promise<OptOut | null> {
  const [row] = await select(
    tx,
    tag`${optOuts.key} in (select i.value from contact_identifiers i
      where i.company_id = ${tx.companyId} and i.contact_id = ${contactId} and i.kind = 'phone')`,
  ).limit(1)
  return row ?? null
}

/** Whether campaigns may not write to what is matched by this key, in a statement over another table. */
export const isOptedOut = (tx: Tx, key: SQL): SQL<boolean> =>
  tag<boolean>`exists (select from opt_outs out where out.company_id = ${tx.companyId} and out.key = ${key})`

const USUAL_REPLY = 'Tudo bem, você não receberá mais campanhas nossas.'

/** What the company says, or what everybody begins with. */
export async function optOutSettingsOf(tx: Tx): Promise<OptOutSettings> {
  const [row] = await tx.sql
    .select({ isOn: optOutSettings.isOn, words: optOutSettings.words, reply: optOutSettings.reply })
    .from(optOutSettings)
    .where(eq(optOutSettings.companyId, tx.companyId))
  return row ?? { isOn: true, words: usualStopWords, reply: USUAL_REPLY }
}

/** The number under which campaigns know a contact: the key that they matched it by, and how it is shown. */
export async function phoneOf(tx: Tx, contactId: number) {
  const [row] = await tx.sql
    .select({
      key: contactIdentifiers.value,
      number: tag<string>`case when ${contacts.number} <> '' then ${contacts.number} else ${contactIdentifiers.value} end`,
    })
    .from(contactIdentifiers)
    .innerJoin(
      contacts,
      and(
        eq(contacts.companyId, contactIdentifiers.companyId),
        eq(contacts.id, contactIdentifiers.contactId),
      ),
    )
    .where(
      and(
        eq(contactIdentifiers.companyId, tx.companyId),
        eq(contactIdentifiers.contactId, contactId),
        eq(contactIdentifiers.kind, 'phone'),
      ),
    )
    .orderBy(tag`${contactIdentifiers.value} = ${contacts.number} desc`, contactIdentifiers.value)
    .limit(1)
  return row ?? null
}

/** So long an answer is one to a campaign. */
const LATELY = tag`interval '30 days'`

/** Whether a campaign wrote to the contact lately. */
export async function heardCampaign(tx: Tx, contactId: number): Promise<boolean> {
  const [row] = await tx.sql
    .select({ id: messages.id })
    .from(messages)
    .where(
      and(
        eq(messages.companyId, tx.companyId),
        eq(messages.contactId, contactId),
        eq(messages.source, 'campaign'),
        tag`${messages.createdAt} > now() - ${LATELY}`,
      ),
    )
    .limit(1)
  return row !== undefined
}

/** What a user noted who goes is nobody's. */
export const disown = async (tx: Tx, userId: number): Promise<void> => {
  await tx.sql
    .update(optOuts)
    .set({ userId: null })
    .where(and(eq(optOuts.companyId, tx.companyId), eq(optOuts.userId, userId)))
}
