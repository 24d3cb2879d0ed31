import { randomUUID } from 'node:crypto'
import type { CampaignSetup } from '@balcao/contract/campaignSetups.ts'
import type { PageQuery } from '@balcao/contract/kit.ts'
import { refuse } from '../../platform/errors.ts'
import { containing, firstIn, onePage } from '../../platform/lists/lists.ts'
import type { Sql } from '../../platform/postgres/db.ts'
import {
  and,
  eq,
  getTableColumns,
  inArray,
  isNull,
  or,
  type SQL,
  sql as tag,
} from '../../platform/postgres/sql.ts'
import type { Tx } from '../../platform/scope.ts'
import { isSwitchedOn } from '../companies/companies.queries.ts'
import { companies } from '../companies/companies.table.ts'
import { whatsapps } from '../connections/connections.table.ts'
import { queues } from '../queues/queues.table.ts'
import { namesOf } from '../users/users.owned.queries.ts'
import { users } from '../users/users.table.ts'
import { campaignSetupConnections, campaignSetups } from './campaignSetups.table.ts'

type Row = typeof campaignSetups.$inferInsert

/** Refuses with ERR_NO_PERMISSION where the company has no campaigns (CAMP-002). */
export async function requireCampaigns(tx: Tx): Promise<void> {
  if (!(await isSwitchedOn(tx, 'enableCampaigns'))) refuse('ERR_NO_PERMISSION')
}

const connectionsOfSetup = tag<CampaignSetup['whatsapps']>`(
  select coalesce(json_agg(json_build_object('id', w.id, 'name', w.name, 'number', w.number, 'lib', w.lib,
    'status', w.status) order by folded(w.name), w.id), '[]')
  from campaign_setup_connections c join whatsapps w on w.company_id = c.company_id and w.id = c.whatsapp_id
  where c.company_id = ${campaignSetups.companyId} and c.setup_id = ${campaignSetups.id})`

const { webhookSecret: _secret, ...shown } = getTableColumns(campaignSetups)

const selectSetups = (tx: Tx, where?: SQL) =>
  tx.sql
    .select({
      ...shown,
      whatsapps: connectionsOfSetup,
      queue: {
        id: queues.id,
        name: queues.name,
        color: queues.color,
        greetingMessage: queues.greetingMessage,
        outOfHoursMessage: queues.outOfHoursMessage,
      },
      user: { id: users.id, name: users.name },
    })
    .from(campaignSetups)
    .leftJoin(
      queues,
      and(eq(queues.companyId, campaignSetups.companyId), eq(queues.id, campaignSetups.queueId)),
    )
    .leftJoin(users, and(eq(users.companyId, campaignSetups.companyId), eq(users.id, campaignSetups.userId)))
    .where(and(eq(campaignSetups.companyId, tx.companyId), where))

/** One page by name. */
export async function listCampaignSetups(tx: Tx, asked: PageQuery) {
  const found = selectSetups(tx, containing(asked.searchParam, campaignSetups.name)).orderBy(
    firstIn(campaignSetups.name, asked.searchParam),
    tag`folded(${campaignSetups.name})`,
    campaignSetups.id,
  )
  const { rows, hasMore } = await onePage(asked, (limit, offset) => found.limit(limit).offset(offset))
  return { campaignSetups: rows, hasMore }
}

/** By its id or its handle. Refuses with ERR_NOT_FOUND. */
export async function findCampaignSetup(tx: Tx, idOrHandle: string): Promise<CampaignSetup> {
  const [setup] = await selectSetups(tx, isIdOrHandle(idOrHandle))
  return setup ?? refuse('ERR_NOT_FOUND', { field: 'campaignSetupId' })
}

const isIdOrHandle = (idOrHandle: string) =>
  or(eq(campaignSetups.id, idOrHandle), eq(campaignSetups.handle, idOrHandle))

/** Null when there is none. */
export const setupOrNull = async (tx: Tx, setupId: string | null): Promise<CampaignSetup | null> =>
  setupId === null ? null : ((await setupsOf(tx, [setupId])).get(setupId) ?? null)

/** By id; deleted ones are left out. */
export async function setupsOf(tx: Tx, setupIds: string[]): Promise<Map<string, CampaignSetup>> {
  if (setupIds.length === 0) return new Map()
  const found = await selectSetups(tx, inArray(campaignSetups.id, setupIds))
  return new Map(found.map(setup => [setup.id, setup]))
}

/** The stored row, by its id or its handle, locked; null when there is none. */
export async function lockCampaignSetup(tx: Tx, idOrHandle: string) {
  const [row] = await tx.sql
    .select()
    .from(campaignSetups)
    .where(and(eq(campaignSetups.companyId, tx.companyId), isIdOrHandle(idOrHandle)))
    .for('update')
  return row ?? null
}

/** The setup of a token, in an active company, with its owner; null when there is none, or its owner rests or is gone. */
export async function knownSetup(sql: Sql, setupId: string) {
  const [row] = await sql
    .select({
      companyId: campaignSetups.companyId,
      userId: tag<number>`${campaignSetups.userId}`,
      secret: campaignSetups.handle,
      name: campaignSetups.name,
    })
    .from(campaignSetups)
    .innerJoin(companies, eq(companies.id, campaignSetups.companyId))
    .innerJoin(
      users,
      and(
        eq(users.companyId, campaignSetups.companyId),
        eq(users.id, campaignSetups.userId),
        isNull(users.restingSince),
      ),
    )
    .where(and(eq(campaignSetups.id, setupId), eq(companies.status, 1)))
  return row ?? null
}

export const insertCampaignSetup = (tx: Tx, values: Omit<Row, 'companyId'>) =>
  tx.sql.insert(campaignSetups).values({ ...values, companyId: tx.companyId })

export const updateCampaignSetup = (tx: Tx, setupId: string, values: Partial<Row>) =>
  tx.sql.update(campaignSetups).set(values).where(own(tx, setupId))

export const deleteCampaignSetup = (tx: Tx, setupId: string) =>
  tx.sql.delete(campaignSetups).where(own(tx, setupId))

/** Replaces the connections of a setup. */
export async function connectCampaignSetup(tx: Tx, setupId: string, whatsappIds: number[]): Promise<void> {
  await tx.sql
    .delete(campaignSetupConnections)
    .where(
      and(
        eq(campaignSetupConnections.companyId, tx.companyId),
        eq(campaignSetupConnections.setupId, setupId),
      ),
    )
  await tx.sql
    .insert(campaignSetupConnections)
    .values(whatsappIds.map(whatsappId => ({ companyId: tx.companyId, setupId, whatsappId })))
}

/** Which of these connections are the company's and not its default. */
export async function usableConnections(tx: Tx, whatsappIds: number[]): Promise<number[]> {
  const rows = await tx.sql
    .select({ id: whatsapps.id })
    .from(whatsapps)
    .where(
      and(
        eq(whatsapps.companyId, tx.companyId),
        eq(whatsapps.isDefault, false),
        inArray(whatsapps.id, whatsappIds),
      ),
    )
  return rows.map(({ id }) => id)
}

/** Removes a deleted queue from setups. */
export const detachQueueFromSetups = (tx: Tx, queueId: number) =>
  tx.sql
    .update(campaignSetups)
    .set({ queueId: null })
    .where(and(eq(campaignSetups.companyId, tx.companyId), eq(campaignSetups.queueId, queueId)))

/** Moves a user's setups to another; without an owner their tokens make no campaign. Returns which. */
export const moveSetups = (tx: Tx, userId: number, heirId: number | null) =>
  tx.sql
    .update(campaignSetups)
    .set({ userId: heirId })
    .where(and(eq(campaignSetups.companyId, tx.companyId), eq(campaignSetups.userId, userId)))
    .returning({ id: campaignSetups.id })

const own = (tx: Tx, setupId: string) =>
  and(eq(campaignSetups.companyId, tx.companyId), eq(campaignSetups.id, setupId))

/** The setups of a user, locked. */
export const lockSetupsOf = (tx: Tx, userId: number) =>
  tx.sql
    .select()
    .from(campaignSetups)
    .where(and(eq(campaignSetups.companyId, tx.companyId), eq(campaignSetups.userId, userId)))
    .orderBy(campaignSetups.id)
    .for('update')

/** A second row of a setup under another id, with its handle and its connections; the first one is named by nothing then. */
export async function copyUnderId(tx: Tx, row: typeof campaignSetups.$inferSelect, to: string) {
  await updateCampaignSetup(tx, row.id, { handle: randomUUID() })
  await tx.sql.insert(campaignSetups).values({ ...row, id: to })
  await tx.sql
    .update(campaignSetupConnections)
    .set({ setupId: to })
    .where(
      and(eq(campaignSetupConnections.companyId, tx.companyId), eq(campaignSetupConnections.setupId, row.id)),
    )
}

/** Setups of a user, by name. */
export const setupsOwnedBy = (tx: Tx, userId: number) => namesOf(tx, campaignSetups, userId)
