import type { PageQuery } from '@balcao/contract/kit.ts'
import { type OptOut, type OptOutSettings, usualStopWords } from '@balcao/contract/optOuts.ts'
import { may } from '@balcao/contract/permissions.rules.ts'
import { refuse } from '../../platform/errors.ts'
import { containingNumber, onePage } from '../../platform/lists/lists.ts'
import { given } from '../../platform/postgres/prepared.ts'
import { and, desc, eq, inArray, or, rowsFrom, type SQL, sql as tag } from '../../platform/postgres/sql.ts'
import type { Tx } from '../../platform/scope.ts'
import { lifetime } from '../../platform/work/retention.ts'
import { ownCustomers } from '../contacts/contacts.owners.queries.ts'
import { contactIdentifiers, contacts } from '../contacts/contacts.table.ts'
import { lookup } from '../messages/inbound/lookups.queries.ts'
import { messages } from '../messages/messages.table.ts'
import { users } from '../users/users.table.ts'
import { marketingChoices, optOutSettings, optOuts } from './optOuts.table.ts'

const behindKey = (only?: SQL) => tag`from contact_identifiers i
  join contacts c on c.company_id = i.company_id and c.id = i.contact_id
  where i.company_id = ${optOuts.companyId} and i.kind in ('phone', 'cloud') and i.value = ${optOuts.key}${only ? tag` and ${only}` : tag``}`

const seenBehindKey = (tx: Tx) => behindKey(ownCustomers(tx, tag`c.id`))

/** Who sees only own customers sees theirs, and what they noted themselves. */
function visible(tx: Tx): SQL | undefined {
  if (tx.viewer === null || may(tx.viewer, 'contacts:all')) return undefined
  return or(eq(optOuts.userId, tx.viewer.id), tag`exists (select ${seenBehindKey(tx)})`)
}

const select = (tx: Tx, where?: SQL) =>
  tx.sql
    .select({
      id: optOuts.id,
      number: optOuts.number,
      // a number may be noted without learning whose it is
      contact: tag<
        OptOut['contact']
      >`(select json_build_object('id', c.id, 'name', c.name) ${seenBehindKey(tx)})`,
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
  const where = and(visible(tx), containingNumber(asked.searchParam, optOuts.number))
  const found = select(tx, where).orderBy(desc(optOuts.id))
  const { rows, hasMore } = await onePage(asked, (limit, offset) => found.limit(limit).offset(offset))
  return { optOuts: rows, hasMore }
}

/** One that the viewer sees. Refuses with ERR_NOT_FOUND. */
export async function findOptOut(tx: Tx, optOutId: number): Promise<OptOut> {
  const [row] = await select(tx, and(eq(optOuts.id, optOutId), visible(tx)))
  return row ?? refuse('ERR_NOT_FOUND', { field: 'optOutId' })
}

/** One that is there, whoever noted it. */
export const optOutNoted = async (tx: Tx, optOutId: number): Promise<OptOut> =>
  (await select(tx, eq(optOuts.id, optOutId)))[0]!

/** Whoever sees it. */
export async function contactIdOf(tx: Tx, optOutId: number): Promise<number | null> {
  const [row] = await tx.sql
    .select({ contactId: tag<number | null>`(select c.id ${behindKey()})` })
    .from(optOuts)
    .where(and(eq(optOuts.companyId, tx.companyId), eq(optOuts.id, optOutId)))
  return row?.contactId ?? null
}

/** The hashed key of a number whose contact was deleted: campaigns still match it. Differs by company. */
const hidden = (tx: Tx, key: SQL) =>
  tag`'sha256:' || encode(sha256(convert_to(${String(tx.companyId)} || ' ' || ${key}, 'UTF8')), 'hex')`

/** A contact is deleted: the opt-out stays under a hash, without number and word. */
export async function hideNumbers(tx: Tx, keys: string[]): Promise<void> {
  for (const key of keys) {
    const own = and(eq(optOuts.companyId, tx.companyId), eq(optOuts.key, key))
    const hash = hidden(tx, tag`${key}::text`)
    const known = (as: SQL) =>
      tag`exists (select from opt_outs o where o.company_id = ${tx.companyId} and o.key = ${as})`
    // of two the one stays that is not lifted from WhatsApp
    const older = and(eq(optOuts.companyId, tx.companyId), eq(optOuts.key, hash))
    await tx.sql.delete(optOuts).where(and(older, eq(optOuts.source, 'whatsapp'), known(tag`${key}`)))
    await tx.sql.delete(optOuts).where(and(own, known(hash)))
    await tx.sql.update(optOuts).set({ key: hash, number: '', word: '' }).where(own)
  }
}

/** By any number of the contact; null when it has not opted out. */
export async function optOutOf(tx: Tx, contactId: number): Promise<OptOut | null> {
  const [row] = await select(
    tx,
    tag`${optOuts.key} in (select unnest(array[i.value, ${hidden(tx, tag`i.value`)}]) from contact_identifiers i
      where i.company_id = ${tx.companyId} and i.contact_id = ${contactId} and i.kind in ('phone', 'cloud'))`,
  ).limit(1)
  return row ?? null
}

/** Whether a key has opted out, as a condition in a statement over another table. One number opts out all numbers of its contact. */
export const isOptedOut = (tx: Tx, key: SQL): SQL<boolean> => tag<boolean>`exists (
  select from opt_outs out where out.company_id = ${tx.companyId} and (out.key in (${key}, ${hidden(tx, key)}) or out.key in (
    select unnest(array[other.value, ${hidden(tx, tag`other.value`)}]) from contact_identifiers known join contact_identifiers other
      on other.company_id = known.company_id and other.contact_id = known.contact_id and other.kind in ('phone', 'cloud')
    where known.company_id = ${tx.companyId} and known.kind = 'phone' and known.value = ${key})))`

const USUAL_REPLY = 'Tudo bem, você não receberá mais campanhas nossas.'

/** The company's settings, or the defaults. */
export async function optOutSettingsOf(tx: Tx): Promise<OptOutSettings> {
  const [row] = await rowsFrom<{ settings: OptOutSettings }>(
    tx.sql,
    tag`select ${settingsAsJson} as settings from opt_out_settings s where s.company_id = ${tx.companyId}`,
  )
  return row?.settings ?? usualOptOutSettings
}

/** The settings of the company; nothing where it has changed none. */
export const optOutLookup = lookup<OptOutSettings>(
  'optOuts',
  () =>
    tag`select ${settingsAsJson} from opt_out_settings s where s.company_id = ${given('companyId')} limit 1`,
)

const settingsAsJson = tag.raw(`json_build_object('isOn', s.is_on, 'words', s.words, 'reply', s.reply)`)

export const usualOptOutSettings: OptOutSettings = { isOn: true, words: usualStopWords, reply: USUAL_REPLY }

/** The number by which campaigns match a contact, and how it is shown; its user id where it hides the number. */
export async function phoneOf(tx: Tx, contactId: number) {
  const [row] = await tx.sql
    .select({
      key: contactIdentifiers.value,
      number: tag<string>`case when ${contacts.number} <> '' then ${contacts.number}
        when ${contactIdentifiers.kind} = 'phone' then ${contactIdentifiers.value} else '' end`,
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
        inArray(contactIdentifiers.kind, ['phone', 'cloud']),
      ),
    )
    .orderBy(
      tag`${contactIdentifiers.kind} = 'phone' desc`,
      tag`${contactIdentifiers.value} = ${contacts.number} desc`,
      contactIdentifiers.value,
    )
    .limit(1)
  return row ?? null
}

/** A message within this time answers a campaign. */
const LATELY = tag`interval '30 days'`

/** Whether a campaign wrote to the contact lately. */
export async function answeredCampaign(tx: Tx, contactId: number): Promise<boolean> {
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

/** Opt-outs of a deleted user have no user. */
export const disown = async (tx: Tx, userId: number): Promise<void> => {
  await tx.sql
    .update(optOuts)
    .set({ userId: null })
    .where(and(eq(optOuts.companyId, tx.companyId), eq(optOuts.userId, userId)))
}

export const deleteOptOut = (tx: Tx, optOutId: number) =>
  tx.sql.delete(optOuts).where(and(eq(optOuts.companyId, tx.companyId), eq(optOuts.id, optOutId)))

/** Inserts an opt-out, or finds the one of the same key: made in WhatsApp, it becomes one of this source and is not lifted there. */
export async function insertOptOut(
  tx: Tx,
  values: Omit<typeof optOuts.$inferInsert, 'companyId' | 'id'>,
): Promise<{ id: number; isNew: boolean }> {
  const [added] = await tx.sql
    .insert(optOuts)
    .values({ ...values, companyId: tx.companyId })
    .onConflictDoUpdate({
      target: [optOuts.companyId, optOuts.key],
      set: { source: values.source, word: values.word ?? '', userId: values.userId ?? null },
      setWhere: tag`${optOuts.source} = 'whatsapp' and excluded.source <> 'whatsapp'`,
    })
    .returning({ id: optOuts.id, isNew: tag<boolean>`xmax = 0` })
  if (added) return added
  const [row] = await tx.sql
    .select({ id: optOuts.id })
    .from(optOuts)
    .where(and(eq(optOuts.companyId, tx.companyId), eq(optOuts.key, values.key)))
  return { id: row!.id, isNew: false }
}

/** Writes a choice unless a later one is known; false when it changes nothing. */
export async function isNewChoice(
  tx: Tx,
  { key, isWanted, at }: { key: string; isWanted: boolean; at: string },
): Promise<boolean> {
  const written = await tx.sql
    .insert(marketingChoices)
    .values({ companyId: tx.companyId, key, isWanted, at })
    .onConflictDoUpdate({
      target: [marketingChoices.companyId, marketingChoices.key],
      set: { isWanted, at },
      // times are whole seconds: within one second the order of arrival counts
      setWhere: tag`excluded.at > ${marketingChoices.at}
        or (excluded.at = ${marketingChoices.at} and excluded.is_wanted <> ${marketingChoices.isWanted})`,
    })
    .returning({ key: marketingChoices.key })
  return written.length > 0
}

/** Deletes opt-outs that were made in WhatsApp itself, by any key of the person, hidden or not. Answers whether there was one. */
export async function deleteMadeInWhatsApp(tx: Tx, keys: string[]): Promise<boolean> {
  const deleted = await tx.sql
    .delete(optOuts)
    .where(
      and(
        eq(optOuts.companyId, tx.companyId),
        eq(optOuts.source, 'whatsapp'),
        or(...keys.map(key => tag`${optOuts.key} in (${key}, ${hidden(tx, tag`${key}::text`)})`)),
      ),
    )
    .returning({ id: optOuts.id })
  return deleted.length > 0
}

export const deleteChoices = (tx: Tx, keys: string[]) =>
  tx.sql
    .delete(marketingChoices)
    .where(and(eq(marketingChoices.companyId, tx.companyId), inArray(marketingChoices.key, keys)))

/** Meta repeats a delivery for seven days at most. */
export const choicesLifetime = lifetime(marketingChoices, marketingChoices.at, 30)

export const saveOptOutSettings = (tx: Tx, settings: OptOutSettings) =>
  tx.sql
    .insert(optOutSettings)
    .values({ ...settings, companyId: tx.companyId })
    .onConflictDoUpdate({ target: optOutSettings.companyId, set: settings })
