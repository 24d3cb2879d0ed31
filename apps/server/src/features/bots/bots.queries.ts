import type { BotSetup } from '@balcao/contract/bots.ts'
import type { PageQuery } from '@balcao/contract/kit.ts'
import { refuse } from '../../platform/errors.ts'
import { containing, firstIn, onePage } from '../../platform/lists.ts'
import type { Tx } from '../../platform/scope.ts'
import { and, eq, getTableColumns, type SQL, sql as tag } from '../../platform/sql.ts'
import { isSwitchedOn } from '../companies/companies.queries.ts'
import { botConnections, botSetups } from './bots.table.ts'

type Row = typeof botSetups.$inferInsert

/** Refuses with ERR_NO_PERMISSION where the company has no bots. */
export async function askBots(tx: Tx): Promise<void> {
  if (!(await isSwitchedOn(tx, 'enableBots'))) refuse('ERR_NO_PERMISSION')
}

const speaksOn = tag<BotSetup['whatsapps']>`(
  select coalesce(json_agg(json_build_object('id', w.id, 'name', w.name) order by lower(w.name)), '[]')
  from bot_connections bc join whatsapps w on w.company_id = bc.company_id and w.id = bc.whatsapp_id
  where bc.company_id = bot_setups.company_id and bc.bot_setup_id = bot_setups.id)`

const promptOf = tag<BotSetup['botConfig']>`(
  select json_build_object('id', p.id, 'name', p.name)
  from bot_configs p where p.company_id = bot_setups.company_id and p.id = bot_setups.bot_config_id and not p.is_deleted)`

const { webhookSecret: _secret, ...shown } = getTableColumns(botSetups)

const selectSetups = (tx: Tx, where?: SQL) =>
  tx.sql
    .select({ ...shown, whatsapps: speaksOn, botConfig: promptOf })
    .from(botSetups)
    .where(and(eq(botSetups.companyId, tx.companyId), where))

/** One page by name. */
export async function listSetups(tx: Tx, asked: PageQuery) {
  const found = selectSetups(tx, containing(asked.searchParam, botSetups.name)).orderBy(
    firstIn(botSetups.name, asked.searchParam),
    tag`lower(${botSetups.name})`,
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

/** Locked: of two who change a bot at once the second sees what the first did. Null when there is none. */
export async function lockSetup(tx: Tx, botSetupId: number) {
  const [row] = await tx.sql.select().from(botSetups).where(own(tx, botSetupId)).for('update')
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

/** The bot speaks on exactly these connections. Throws by `bot_connections_pkey` where one has another bot. */
export async function connectSetup(tx: Tx, botSetupId: number, whatsappIds: number[]): Promise<void> {
  await tx.sql
    .delete(botConnections)
    .where(and(eq(botConnections.companyId, tx.companyId), eq(botConnections.botSetupId, botSetupId)))
  const rows = whatsappIds.map(whatsappId => ({ companyId: tx.companyId, whatsappId, botSetupId }))
  if (rows.length > 0) await tx.sql.insert(botConnections).values(rows)
}

/** Bots of a user that goes are nobody's. */
export const disownBots = async (tx: Tx, userId: number): Promise<void> => {
  await tx.sql
    .update(botSetups)
    .set({ userId: null })
    .where(and(eq(botSetups.companyId, tx.companyId), eq(botSetups.userId, userId)))
}

const own = (tx: Tx, botSetupId: number) =>
  and(eq(botSetups.companyId, tx.companyId), eq(botSetups.id, botSetupId))
