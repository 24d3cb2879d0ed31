import { and, asc, eq, getTableColumns, sql as tag } from '../../../platform/postgres/sql.ts'
import type { Tx } from '../../../platform/scope.ts'
import { isOptedOut } from '../../optOuts/optOuts.queries.ts'
import { campaignDispatches } from '../campaigns.table.ts'
import { NAME_PLACES, type PendingGroup } from '../run/written.rules.ts'

/** Over the official API only a template is allowed: the last message of the customer is older than a day. */
const TEMPLATE_ONLY = tag`not exists (select from contact_identifiers i join tickets t
  on t.company_id = i.company_id and t.contact_id = i.contact_id
  where i.company_id = campaign_dispatches.company_id and i.kind = 'phone' and i.value = campaign_dispatches.key
    and t.replies_until > now())`

/** The name of a recipient: the given one, else that of the contact, as when it is sent. */
const NAME = tag<string>`case when campaign_dispatches.name <> '' then campaign_dispatches.name else coalesce((
  select c.name from contact_identifiers i join contacts c on c.company_id = i.company_id and c.id = i.contact_id
  where i.company_id = campaign_dispatches.company_id and i.kind = 'phone' and i.value = campaign_dispatches.key
    and c.name not in ('+' || c.number, 'WhatsApp')
  limit 1), '') end`

/** Whether a recipient has no value for a placeholder, by its plain name (`plainName`). */
const lacks = (place: string) =>
  NAME_PLACES.includes(place)
    ? tag`not ${NAME} ~ '\\S'`
    : tag`not exists (select from jsonb_each_text(campaign_dispatches.row_values) as v(name, value)
        where v.value ~ '\\S' and regexp_replace(lower(normalize(v.name, nfd)), '[^a-z0-9]', '', 'g') = ${place}::text)`

/** Pending recipients by what decides whether they can be written to. */
export const pendingGroups = (
  tx: Tx,
  campaignId: number,
  { messages, isOfficial, places }: { messages: number; isOfficial: boolean; places: string[] },
): Promise<PendingGroup[]> => {
  const turn = tag<number>`campaign_dispatches.position % ${Math.max(1, messages)}::int`.as('turn')
  const isOut = tag<boolean>`${isOptedOut(tx, tag`campaign_dispatches.key`)}`.as('is_opted_out')
  const templateOnly = tag<boolean>`${isOfficial ? TEMPLATE_ONLY : tag`false`}`.as('template_only')
  const list = tag<boolean[]>`array[${tag.join(places.map(lacks), tag`, `)}]::boolean[]`.as('lacks')
  const one = tx.sql
    .select({ id: campaignDispatches.id, turn, isOut, templateOnly, list })
    .from(campaignDispatches)
    .where(pendingOf(tx, campaignId))
    .as('one')
  return tx.sql
    .select({
      turn: one.turn,
      isOptedOut: one.isOut,
      templateOnly: one.templateOnly,
      lacks: one.list,
      ids: tag<number[]>`array_agg(${one.id})`,
    })
    .from(one)
    .groupBy(one.turn, one.isOut, one.templateOnly, one.list)
}

const pendingOf = (tx: Tx, campaignId: number) =>
  and(
    eq(campaignDispatches.companyId, tx.companyId),
    eq(campaignDispatches.campaignId, campaignId),
    eq(campaignDispatches.status, 'pending'),
  )

/** Name and values of the first recipient; null when the list is empty. */
export async function firstRecipient(tx: Tx, campaignId: number) {
  const [row] = await tx.sql
    .select({ name: NAME, values: campaignDispatches.values })
    .from(campaignDispatches)
    .where(and(eq(campaignDispatches.companyId, tx.companyId), eq(campaignDispatches.campaignId, campaignId)))
    .orderBy(asc(campaignDispatches.position))
    .limit(1)
  return row ?? null
}

/** The next pending recipients; `templateOnly` is computed for an official connection. */
export const nextPending = (
  tx: Tx,
  campaignId: number,
  { isOfficial }: { isOfficial: boolean },
  limit: number,
) =>
  tx.sql
    .select({
      ...getTableColumns(campaignDispatches),
      name: NAME,
      templateOnly: tag<boolean>`${isOfficial ? TEMPLATE_ONLY : tag`false`}`,
    })
    .from(campaignDispatches)
    .where(pendingOf(tx, campaignId))
    .orderBy(asc(campaignDispatches.position))
    .limit(limit)

/** Returns how many were deleted. */
export async function deletePending(tx: Tx, campaignId: number): Promise<number> {
  const deleted = await tx.sql
    .delete(campaignDispatches)
    .where(pendingOf(tx, campaignId))
    .returning({ id: campaignDispatches.id })
  return deleted.length
}
