import type { BotSetup } from '@balcao/contract/bots.ts'
import type { PageQuery } from '@balcao/contract/kit.ts'
import { refuse } from '../../platform/errors.ts'
import { containing, firstIn, onePage } from '../../platform/lists/lists.ts'
import { and, eq, getTableColumns, type SQL, sql as tag } from '../../platform/postgres/sql.ts'
import type { Tx } from '../../platform/scope.ts'
import { isSwitchedOn } from '../companies/companies.queries.ts'
import { namesOf } from '../users/users.owned.queries.ts'
import { botConnections, botSetups } from './bots.table.ts'

type Row = typeof botSetups.$inferInsert

/** Refuses with ERR_NO_PERMISSION where the company has no bots. */
export async function requireBots(tx: Tx): Promise<void> {
  if (!(await isSwitchedOn(tx, 'enableBots'))) refuse('ERR_NO_PERMISSION')
}

const connectionsOfSetup = tag<BotSetup['whatsapps']>`(
  select coalesce(json_agg(json_build_object('id', w.id, 'name', w.name) order by folded(w.name)), '[]')
  from bot_connections bc join whatsapps w on w.company_id = bc.company_id and w.id = bc.whatsapp_id
  where bc.company_id = bot_setups.company_id and bc.bot_setup_id = bot_setups.id)`

const promptOf = tag<BotSetup['botConfig']>`(
  select json_build_object('id', p.id, 'name', p.name)
  from bot_configs p where p.company_id = bot_setups.company_id and p.id = bot_setups.bot_config_id and not p.is_deleted)`

const { webhookSecret: _secret, ...shown } = getTableColumns(botSetups)

const selectSetups = (tx: Tx, where?: SQL) =>
  tx.sql
    .select({ ...shown, whatsapps: connectionsOfSetup, botConfig: promptOf })
    .from(botSetups)
    .where(and(eq(botSetups.companyId, tx.companyId), where))

/** One page by name. */
export async function listSetups(tx: Tx, asked: PageQuery) {
  const found = selectSetups(tx, containing(asked.searchParam, botSetups.name)).orderBy(
    firstIn(botSetups.name, asked.searchParam),
    tag`folded(${botSetups.name})`,
    botSetups.id,
  )
  const { rows, hasMore } = await onePage(asked, (limit, offset) => found.limit(limit).offset(offset))
  return { botSetups: rows, hasMore }
}

/** Refuses with ERR_NOT_FOUND. */
export async function findSetup(tx: Tx, botSetupId: number): Promise<BotSetup> {
  const [setup] = await selectSetups(tx, eq(botSetups.id, botSetupId))
  return setup ?? refuse('ERR_NOT_FOUND', { field: 'botSetupId' })
}

/** A conversation that begins with it meanwhile does not wait. */
export async function lockSetup(tx: Tx, botSetupId: number) {
  const [row] = await tx.sql.select().from(botSetups).where(own(tx, botSetupId)).for('no key update')
  return row ?? null
}

export async function insertSetup(tx: Tx, values: Omit<Row, 'companyId' | 'id'>): Promise<number> {
  const [row] = await tx.sql
    .insert(botSetups)
    .values({ ...values, companyId: tx.companyId })
    .returning({ id: botSetups.id })
  return row!.id
}

export const updateSetup = (tx: Tx, botSetupId: number, values: Partial<Row>) =>
  tx.sql.update(botSetups).set(values).where(own(tx, botSetupId))

export const deleteSetup = (tx: Tx, botSetupId: number) => tx.sql.delete(botSetups).where(own(tx, botSetupId))

export async function connectionsOf(tx: Tx, botSetupId: number): Promise<number[]> {
  const rows = await tx.sql
    .select({ id: botConnections.whatsappId })
    .from(botConnections)
    .where(and(eq(botConnections.companyId, tx.companyId), eq(botConnections.botSetupId, botSetupId)))
  return rows.map(({ id }) => id)
}

/** Replaces the connections of a bot. Throws by `bot_connections_company_id_whatsapp_id_pk` where one has another bot. */
export async function connectSetup(tx: Tx, botSetupId: number, whatsappIds: number[]): Promise<void> {
  await tx.sql
    .delete(botConnections)
    .where(and(eq(botConnections.companyId, tx.companyId), eq(botConnections.botSetupId, botSetupId)))
  const rows = whatsappIds.map(whatsappId => ({ companyId: tx.companyId, whatsappId, botSetupId }))
  if (rows.length > 0) await tx.sql.insert(botConnections).values(rows)
}

/** Moves a user's bots to another, or to none. Returns which. */
export const moveBots = async (tx: Tx, userId: number, to: number | null): Promise<number[]> => {
  const moved = await tx.sql
    .update(botSetups)
    .set({ userId: to })
    .where(and(eq(botSetups.companyId, tx.companyId), eq(botSetups.userId, userId)))
    .returning({ id: botSetups.id })
  return moved.map(({ id }) => id)
}

const own = (tx: Tx, botSetupId: number) =>
  and(eq(botSetups.companyId, tx.companyId), eq(botSetups.id, botSetupId))

/** Bots of a user, by name. */
export const botsOwnedBy = (tx: Tx, userId: number) => namesOf(tx, botSetups, userId)
