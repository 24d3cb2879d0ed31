import { namesFiles } from '../../platform/files/orphans.ts'
import { and, asc, eq, inArray, or, type SQL, sql as tag } from '../../platform/postgres/sql.ts'
import type { Tx } from '../../platform/scope.ts'
import type { Traces } from '../contacts/contacts.events.ts'
import { namesOf } from '../users/users.owned.queries.ts'
import { campaignCalls, campaignDispatches, campaignMessages, campaigns } from './campaigns.table.ts'

export const blankDispatches = (tx: Tx, ids: number[]) =>
  tx.sql
    .update(campaignDispatches)
    .set({
      name: '',
      number: '',
      // unique within the campaign
      key: tag`'gone ' || ${campaignDispatches.id}`,
      values: {},
      greeting: '',
      message: '',
      contactId: null,
      ticketId: null,
      answerTicketId: null,
      reason: tag`case when ${campaignDispatches.status} = 'pending' then 'ERR_NO_CONTACT_FOUND' else ${campaignDispatches.reason} end`,
      status: tag`case when ${campaignDispatches.status} = 'pending' then 'sentFail' else ${campaignDispatches.status} end`,
    })
    .where(and(eq(campaignDispatches.companyId, tx.companyId), inArray(campaignDispatches.id, ids)))

/** By contact, and by number: a recipient of a list may have had no contact then. */
const belongsTo = (tx: Tx, { contactId, keys }: Leaving): SQL | undefined =>
  and(
    eq(campaignDispatches.companyId, tx.companyId),
    or(
      eq(campaignDispatches.contactId, contactId),
      keys.length > 0
        ? tag`(${campaignDispatches.campaignId}, ${campaignDispatches.key}) in (select c.id, k.key from campaigns c
            cross join json_array_elements_text(${JSON.stringify(keys)}::json) as k(key) where c.company_id = ${tx.companyId})`
        : undefined,
    ),
  )

export type Leaving = { contactId: number } & Traces

/** Two contacts are merged. */
export async function moveDispatches(tx: Tx, from: number, into: number): Promise<void> {
  await tx.sql
    .update(campaignDispatches)
    .set({ contactId: into })
    .where(and(eq(campaignDispatches.companyId, tx.companyId), eq(campaignDispatches.contactId, from)))
}

/** A merge is undone: each recipient belongs to the contact of its number. */
export async function partDispatches(tx: Tx, from: number, into: number): Promise<void> {
  await tx.sql
    .update(campaignDispatches)
    .set({ contactId: from })
    .where(
      and(
        eq(campaignDispatches.companyId, tx.companyId),
        eq(campaignDispatches.contactId, into),
        tag`${campaignDispatches.key} in (select i.value from contact_identifiers i
          where i.company_id = ${tx.companyId} and i.contact_id = ${from} and i.kind = 'phone')`,
      ),
    )
}

/** Recipients of a contact or its numbers, locked. */
export const lockDispatchesOf = (tx: Tx, leaving: Leaving) =>
  tx.sql
    .select({
      id: campaignDispatches.id,
      campaignId: campaignDispatches.campaignId,
      status: campaignDispatches.status,
      whatsappId: campaignDispatches.whatsappId,
    })
    .from(campaignDispatches)
    .where(belongsTo(tx, leaving))
    .orderBy(asc(campaignDispatches.id))
    .for('update')

/** What campaigns know of a contact. */
export const exportDispatchesOf = (tx: Tx, leaving: Leaving) =>
  tx.sql
    .select({
      campaign: campaigns.name,
      name: campaignDispatches.name,
      number: campaignDispatches.number,
      values: campaignDispatches.values,
      status: campaignDispatches.status,
      greeting: campaignDispatches.greeting,
      message: campaignDispatches.message,
      sentAt: campaignDispatches.messageSendAt,
    })
    .from(campaignDispatches)
    .innerJoin(
      campaigns,
      and(
        eq(campaigns.companyId, campaignDispatches.companyId),
        eq(campaigns.id, campaignDispatches.campaignId),
      ),
    )
    .where(belongsTo(tx, leaving))
    .orderBy(asc(campaignDispatches.id))

/** Files that campaigns name. */
export const campaignFiles = [
  namesFiles(campaignMessages, campaignMessages.mediaUrl),
  namesFiles(campaignDispatches, campaignDispatches.mediaUrl),
]

/** Planned and running campaigns of a user. */
export const activeCampaignsOf = (tx: Tx, userId: number) =>
  namesOf(tx, campaigns, userId, inArray(campaigns.status, ['scheduled', 'start']))

/** Moves a user's campaigns to another, or to none. Returns which. */
export const moveCampaigns = (tx: Tx, userId: number, to: number | null) =>
  tx.sql
    .update(campaigns)
    .set({ userId: to })
    .where(and(eq(campaigns.companyId, tx.companyId), eq(campaigns.userId, userId)))
    .returning({ id: campaigns.id, status: campaigns.status })

const ofSetup = (tx: Tx, setupId: string) =>
  and(eq(campaigns.companyId, tx.companyId), eq(campaigns.setupId, setupId))

/** A campaign that is planned, runs or is paused with the setup; null when there is none. */
export async function campaignNeeding(tx: Tx, setupId: string): Promise<number | null> {
  const [row] = await tx.sql
    .select({ id: campaigns.id })
    .from(campaigns)
    .where(and(ofSetup(tx, setupId), inArray(campaigns.status, ['scheduled', 'start', 'pause'])))
    .limit(1)
  return row?.id ?? null
}

/** A setup got another id. */
export async function followSetup(tx: Tx, { from, to }: { from: string; to: string }): Promise<void> {
  await tx.sql.update(campaigns).set({ setupId: to }).where(ofSetup(tx, from))
  await tx.sql
    .update(campaignCalls)
    .set({ setupId: to })
    .where(and(eq(campaignCalls.companyId, tx.companyId), eq(campaignCalls.setupId, from)))
}

export const detachSetup = (tx: Tx, setupId: string) =>
  tx.sql.update(campaigns).set({ setupId: null }).where(ofSetup(tx, setupId))
