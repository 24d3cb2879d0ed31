import type { BotCommand } from '@balcao/contract/bots.commands.ts'
import type { Condition } from '@balcao/contract/bots.logic.ts'
import { inNumberOrder } from '@balcao/contract/bots.numbers.rules.ts'
import type { ScriptCommand } from '@balcao/contract/bots.script.rules.ts'
import { refuse } from '../../platform/errors.ts'
import { namesFiles } from '../../platform/files/orphans.ts'
import { and, count, eq, inArray, isNotNull, type SQL, sql as tag } from '../../platform/postgres/sql.ts'
import type { Tx } from '../../platform/scope.ts'
import { botCommands } from './bots.table.ts'

type Row = typeof botCommands.$inferInsert

const tagsOf = tag<BotCommand['tags']>`(
  select coalesce(json_agg(json_build_object('id', t.id, 'name', t.name, 'color', t.color) order by folded(t.name)), '[]')
  from tags t where t.company_id = bot_commands.company_id and t.id = any(bot_commands.tag_ids))`

const categoriesOf = tag<BotCommand['categoryContacts']>`(
  select coalesce(json_agg(json_build_object('id', c.id, 'name', c.name, 'color', c.color) order by folded(c.name)), '[]')
  from categories c where c.company_id = bot_commands.company_id and c.id = any(bot_commands.category_ids))`

const flowOf = tag<BotCommand['flow']>`(
  select json_build_object('id', f.id, 'name', f.name)
  from flows f where f.company_id = bot_commands.company_id and f.id = bot_commands.flow_id and f.type = 'Bot')`

const promptOfCommand = tag<BotCommand['botConfig']>`(
  select json_build_object('id', p.id, 'name', p.name)
  from bot_configs p where p.company_id = bot_commands.company_id and p.id = bot_commands.bot_config_id and not p.is_deleted)`

/** Commands with the tags, categories, flow and prompt that they refer to, as far as these exist. */
async function selectCommands(tx: Tx, where: SQL | undefined): Promise<BotCommand[]> {
  const rows = await tx.sql
    .select({
      command: botCommands,
      tags: tagsOf,
      categoryContacts: categoriesOf,
      flow: flowOf,
      botConfig: promptOfCommand,
    })
    .from(botCommands)
    .where(and(eq(botCommands.companyId, tx.companyId), where))
  return rows.map(({ command, ...named }) => ({
    ...command,
    ...named,
    mediaName: command.media?.name ?? '',
  }))
}

/** All of a bot, by their numbers. */
export const commandsOf = async (tx: Tx, botSetupId: number): Promise<BotCommand[]> =>
  (await selectCommands(tx, eq(botCommands.botSetupId, botSetupId))).sort((a, b) =>
    inNumberOrder(a.commandBot, b.commandBot),
  )

/** As the interpreter reads them. */
export const scriptCommandsOf = async (tx: Tx, botSetupId: number): Promise<ScriptCommand[]> =>
  await commandRows(tx, botSetupId)

/** The file of a command as a message holds it; null when it has none. */
export async function mediaOf(tx: Tx, botId: number) {
  const [row] = await tx.sql
    .select({ media: botCommands.media })
    .from(botCommands)
    .where(ownCommands(tx, [botId]))
  if (!row?.media) return null
  const { kind, ...about } = row.media
  return { kind, about }
}

/** Refuses with ERR_NOT_FOUND. */
export async function findCommand(tx: Tx, botId: number): Promise<BotCommand> {
  const [command] = await selectCommands(tx, eq(botCommands.id, botId))
  return command ?? refuse('ERR_NOT_FOUND', { field: 'botId' })
}

export const commandRows = (tx: Tx, botSetupId: number) =>
  tx.sql
    .select()
    .from(botCommands)
    .where(and(eq(botCommands.companyId, tx.companyId), eq(botCommands.botSetupId, botSetupId)))

export async function countCommands(tx: Tx, botSetupId: number): Promise<number> {
  const [row] = await tx.sql
    .select({ many: count() })
    .from(botCommands)
    .where(and(eq(botCommands.companyId, tx.companyId), eq(botCommands.botSetupId, botSetupId)))
  return row!.many
}

/** Throws by `bot_commands_number` for a number in use. */
export async function insertCommands(tx: Tx, values: Omit<Row, 'companyId' | 'id'>[]): Promise<number[]> {
  if (values.length === 0) return []
  const rows = await tx.sql
    .insert(botCommands)
    .values(values.map(row => ({ ...row, companyId: tx.companyId })))
    .returning({ id: botCommands.id })
  return rows.map(({ id }) => id)
}

/** Throws by `bot_commands_number` for a number in use. */
export const updateCommand = (tx: Tx, botId: number, values: Partial<Row>) =>
  tx.sql
    .update(botCommands)
    .set(values)
    .where(ownCommands(tx, [botId]))

export const deleteCommands = (tx: Tx, botIds: number[]) =>
  tx.sql.delete(botCommands).where(ownCommands(tx, botIds))

/** Gives commands temporary numbers: while they are renumbered no two may be equal. */
export const clearNumbers = (tx: Tx, botIds: number[]) =>
  tx.sql
    .update(botCommands)
    .set({ commandBot: tag`'~' || ${botCommands.id}` })
    .where(ownCommands(tx, botIds))

/** The files that commands name. */
export const filesOf = (commands: { mediaUrl: string | null }[]): string[] =>
  commands.flatMap(({ mediaUrl }) => mediaUrl ?? [])

/** Which of these files commands name. */
export async function filesInUse(tx: Tx, addresses: string[]): Promise<string[]> {
  if (addresses.length === 0) return []
  const rows = await tx.sql
    .selectDistinct({ mediaUrl: botCommands.mediaUrl })
    .from(botCommands)
    .where(and(eq(botCommands.companyId, tx.companyId), inArray(botCommands.mediaUrl, addresses)))
  return rows.map(({ mediaUrl }) => mediaUrl!)
}

/** A tag was merged into another. */
export async function replaceTag(tx: Tx, from: number, into: number): Promise<void> {
  await replaceIn(tx, 'tagIds', from, into)
  await replaceInConditions(tx, 'tag', from, into)
}

/** A category was merged into another. */
export async function replaceCategory(tx: Tx, from: number, into: number): Promise<void> {
  await replaceIn(tx, 'categoryIds', from, into)
  await replaceInConditions(tx, 'category', from, into)
}

async function replaceIn(tx: Tx, list: 'tagIds' | 'categoryIds', from: number, into: number) {
  const ids = botCommands[list]
  await tx.sql
    .update(botCommands)
    .set({
      [list]: tag`case when ${into}::int = any(${ids}) then array_remove(${ids}, ${from}::int)
        else array_replace(${ids}, ${from}::int, ${into}::int) end`,
    })
    .where(and(eq(botCommands.companyId, tx.companyId), tag`${from}::int = any(${ids})`))
}

/** Conditions ask for the row that another was merged into. */
async function replaceInConditions(tx: Tx, kind: 'tag' | 'category', from: number, into: number) {
  const rows = await tx.sql
    .select({ id: botCommands.id, logic: botCommands.logic })
    .from(botCommands)
    .where(and(eq(botCommands.companyId, tx.companyId), isNotNull(botCommands.logic)))
  for (const { id, logic } of rows) {
    const isMeant = (one: Condition) => one.kind === kind && one.id === from
    if (!logic?.conditions.some(isMeant)) continue
    const conditions = logic.conditions.map(one => (isMeant(one) ? { ...one, id: into } : one)) as Condition[]
    await updateCommand(tx, id, { logic: { ...logic, conditions } })
  }
}

const ownCommands = (tx: Tx, botIds: number[]) =>
  and(eq(botCommands.companyId, tx.companyId), inArray(botCommands.id, botIds))

/** Files that commands name. */
export const botFiles = namesFiles(botCommands, botCommands.mediaUrl)
