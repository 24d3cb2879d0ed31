import type { Message } from '@balcao/contract/messages.ts'
import { given, insertingAll, prepared, preparedText } from '../../../platform/postgres/prepared.ts'
import { and, desc, eq, inArray, type SQL, sql as tag } from '../../../platform/postgres/sql.ts'
import type { Tx } from '../../../platform/scope.ts'
import { campaignSetups } from '../../campaignSetups/campaignSetups.table.ts'
import { lookup } from '../../messages/inbound/lookups.queries.ts'
import { messages } from '../../messages/messages.table.ts'
import {
  campaignClocks,
  campaignDepartures,
  campaignDispatches,
  campaignPosts,
  campaigns,
} from '../campaigns.table.ts'
import { type Clock, milliseconds, ownClock } from './run.queries.ts'

/** Running campaigns of a setup, or all of the company. */
export const runningWith = (tx: Tx, setupId: string | null) =>
  tx.sql
    .select({ id: campaigns.id, setupId: campaigns.setupId })
    .from(campaigns)
    .where(
      and(
        eq(campaigns.companyId, tx.companyId),
        setupId === null ? undefined : eq(campaigns.setupId, setupId),
        eq(campaigns.status, 'start'),
      ),
    )
    .orderBy(campaigns.id)

/** No pause of its connections lasts longer from now on, and no campaign says so. */
export async function shortenPauses(tx: Tx, campaignId: number, atMostMs: number): Promise<void> {
  const end = tag`now() + ${atMostMs}::float8 * interval '1 millisecond'`
  await tx.sql
    .update(campaigns)
    .set({ waitsUntil: tag`least(${campaigns.waitsUntil}, ${end})` })
    .where(
      and(
        eq(campaigns.companyId, tx.companyId),
        eq(campaigns.id, campaignId),
        eq(campaigns.waitReason, 'gap'),
      ),
    )
  await tx.sql.execute(tag`
    update campaign_clocks k set free_at = least(k.free_at, ${end})
    from campaigns c join campaign_setup_connections n on n.company_id = c.company_id and n.setup_id = c.setup_id
    where c.company_id = ${tx.companyId} and c.id = ${campaignId}
      and k.company_id = n.company_id and k.whatsapp_id = n.whatsapp_id`)
}

/** The posts of messages with their recipients, which are locked in one order, and the pace of the setups; null without one. */
export const lockPosts = (tx: Tx, messageIds: string[]) =>
  postsForUpdate(tx.sql, { companyId: tx.companyId, messageIds })

const postsForUpdate = prepared(sql =>
  sql
    .select({
      post: campaignPosts,
      person: campaignDispatches,
      setup: {
        tMin: campaignSetups.tMin,
        tMax: campaignSetups.tMax,
        interval: campaignSetups.interval,
        ticketSetStatus: campaignSetups.ticketSetStatus,
      },
    })
    .from(campaignPosts)
    .innerJoin(
      campaignDispatches,
      and(
        eq(campaignDispatches.companyId, campaignPosts.companyId),
        eq(campaignDispatches.id, campaignPosts.dispatchId),
      ),
    )
    .innerJoin(
      campaigns,
      and(eq(campaigns.companyId, campaignPosts.companyId), eq(campaigns.id, campaignDispatches.campaignId)),
    )
    .leftJoin(
      campaignSetups,
      and(eq(campaignSetups.companyId, campaigns.companyId), eq(campaignSetups.id, campaigns.setupId)),
    )
    .where(
      and(
        eq(campaignPosts.companyId, given('companyId')),
        tag`${campaignPosts.messageId} = any(${given('messageIds')}::uuid[])`,
      ),
    )
    .orderBy(campaignDispatches.id, campaignPosts.place)
    .for('update', { of: campaignDispatches }),
)

export type KnownPost = Awaited<ReturnType<typeof lockPosts>>[number]

export const keepPostAcks = (tx: Tx, posts: Post[]) =>
  writeAcks(tx.sql, {
    companyId: tx.companyId,
    messageIds: posts.map(({ messageId }) => messageId),
    acks: posts.map(({ ack }) => ack),
  })

const writeAcks = preparedText(
  () => tag`update campaign_posts p set ack = n.ack
    from unnest(${given('messageIds')}::uuid[], ${given('acks')}::int[]) as n (message_id, ack)
    where p.company_id = ${given('companyId')} and p.message_id = n.message_id`,
)

/** A message of the customer within this time answers the campaign. */
const ANSWERS = tag`interval '30 days'`

type Operand = number | ReturnType<typeof given> | SQL

const reached = (companyId: Operand, contactId: Operand, whatsappId: Operand) =>
  and(
    tag`${campaignDispatches.companyId} = ${companyId}`,
    tag`${campaignDispatches.contactId} = ${contactId}`,
    tag`${campaignDispatches.whatsappId} = ${whatsappId}`,
    inArray(campaignDispatches.status, ['sending', 'sent']),
    tag`coalesce(${campaignDispatches.greetingSendAt}, ${campaignDispatches.messageSendAt}) > now() - ${ANSWERS}`,
  )

/** Whether a campaign reached the customer lately over the connection that it wrote to. */
export const reachedLookup = lookup<boolean>(
  'campaigns',
  () => tag`select true from ${campaignDispatches}
    where ${reached(given('companyId'), tag`asked.contact_id`, tag`asked.whatsapp_id`)} limit 1`,
)

/** The newest recipient row that reached the contact over this connection lately, locked; null when there is none. */
export async function lastReached(tx: Tx, contactId: number, whatsappId: number | null) {
  if (whatsappId === null) return null
  const [row] = await tx.sql
    .select()
    .from(campaignDispatches)
    .where(reached(tx.companyId, contactId, whatsappId))
    .orderBy(desc(campaignDispatches.id))
    .limit(1)
    .for('update')
  return row ?? null
}

/**
 * Whether a message of the customer answers a post of the recipient: it quotes one, or it quotes nothing and the last message
 * that left for the contact over this connection is one.
 */
export async function answersPost(
  tx: Tx,
  {
    id,
    contactId,
    whatsappId,
  }: Pick<typeof campaignDispatches.$inferSelect, 'id' | 'contactId' | 'whatsappId'>,
  message: Pick<Message, 'id' | 'quotedMsg'>,
): Promise<boolean> {
  const lastLeft = tag`(select m.id from messages m
    where m.company_id = ${tx.companyId} and m.contact_id = ${contactId} and m.whatsapp_id = ${whatsappId} and m.from_me
      and not (m.waits and m.outbox = 'queued') and m.ack > 0
      and m.position < (select position from messages where company_id = ${tx.companyId} and id = ${message.id})
    order by m.position desc, m.id desc limit 1)`
  const [row] = await tx.sql
    .select({ place: campaignPosts.place })
    .from(campaignPosts)
    .where(and(ofRecipient(tx, id), eq(campaignPosts.messageId, message.quotedMsg?.id ?? lastLeft)))
  return row !== undefined
}

/** Messages of `sending` recipients that wait in the outbox, locked, in order for each recipient. */
export const lockUnsent = (tx: Tx, campaignId: number) =>
  tx.sql
    .select({ dispatchId: campaignPosts.dispatchId, message: messages })
    .from(campaignDispatches)
    .innerJoin(
      campaignPosts,
      and(
        eq(campaignPosts.companyId, campaignDispatches.companyId),
        eq(campaignPosts.dispatchId, campaignDispatches.id),
      ),
    )
    .innerJoin(messages, messageOfPost)
    .where(
      and(
        eq(campaignDispatches.companyId, tx.companyId),
        eq(campaignDispatches.campaignId, campaignId),
        eq(campaignDispatches.status, 'sending'),
        messages.waits,
      ),
    )
    .orderBy(campaignPosts.dispatchId, campaignPosts.place)
    .for('update', { of: messages })

const messageOfPost = and(
  eq(messages.companyId, campaignPosts.companyId),
  eq(messages.id, campaignPosts.messageId),
)

const ofRecipient = (tx: Tx, dispatchId: number) =>
  and(eq(campaignPosts.companyId, tx.companyId), eq(campaignPosts.dispatchId, dispatchId))

export type Post = typeof campaignPosts.$inferSelect

export async function countPosts(tx: Tx, dispatchId: number): Promise<number> {
  const [row] = await tx.sql
    .select({ count: tag<number>`count(*)::int` })
    .from(campaignPosts)
    .where(ofRecipient(tx, dispatchId))
  return row!.count
}

export const deletePosts = (tx: Tx, dispatchId: number) =>
  tx.sql.delete(campaignPosts).where(ofRecipient(tx, dispatchId))

/** All messages of a recipient that still exist, locked, in order. */
export const lockMessagesOf = (tx: Tx, dispatchId: number) =>
  tx.sql
    .select({ message: messages })
    .from(campaignPosts)
    .innerJoin(messages, messageOfPost)
    .where(ofRecipient(tx, dispatchId))
    .orderBy(messages.id)
    .for('update', { of: messages })

/** The same whether due or not; null for a connection that never sent. */
export async function lockClock(tx: Tx, whatsappId: number): Promise<Clock | null> {
  const [row] = await tx.sql
    .select({
      now: milliseconds(tag`now()`),
      freeAt: milliseconds(campaignClocks.freeAt),
      refusals: campaignClocks.refusals,
    })
    .from(campaignClocks)
    .where(ownClock(tx, whatsappId))
    .for('update')
  return row ?? null
}

/** Each connection of a campaign is due as soon as its pause is over. */
export const wakeClocks = (tx: Tx, campaignId: number) =>
  tx.sql.execute(tag`
    insert into campaign_clocks (company_id, whatsapp_id, look_at)
    select c.company_id, n.whatsapp_id, now() from campaigns c
    join campaign_setup_connections n on n.company_id = c.company_id and n.setup_id = c.setup_id
    where c.company_id = ${tx.companyId} and c.id = ${campaignId}
    order by n.whatsapp_id
    on conflict (company_id, whatsapp_id) do update
      set look_at = greatest(campaign_clocks.free_at, now())`)

/** Counts recipients as sent to at a time, also after a failed attempt. */
export const insertDepartures = insertingAll(
  campaignDepartures,
  tag`on conflict (company_id, dispatch_id) do update set at = excluded.at`,
)

interface Pause {
  whatsappId: number
  ms: number
  refusals: number
}

/** The connections pause from now on; each is due at the end of it. */
export const pauseClocks = async (tx: Tx, pauses: Pause[]) =>
  pauses.length > 0 &&
  (await pauseRows(tx.sql, {
    companyId: tx.companyId,
    whatsappIds: pauses.map(({ whatsappId }) => whatsappId),
    durations: pauses.map(({ ms }) => ms),
    refusals: pauses.map(({ refusals }) => refusals),
  }))

const pauseRows = preparedText(
  () => tag`update campaign_clocks k set free_at = now() + n.ms * interval '1 millisecond',
      look_at = now() + n.ms * interval '1 millisecond', refusals = n.refusals
    from unnest(${given('whatsappIds')}::int[], ${given('durations')}::float8[], ${given('refusals')}::int[])
      as n (whatsapp_id, ms, refusals)
    where k.company_id = ${given('companyId')} and k.whatsapp_id = n.whatsapp_id`,
)
