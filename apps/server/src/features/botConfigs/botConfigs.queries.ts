import type { BotConfig, BotConfigInput, Prompt } from '@balcao/contract/botConfigs.ts'
import type { PageQuery } from '@balcao/contract/kit.ts'
import { refuse } from '../../platform/errors.ts'
import { containing, firstIn, onePage } from '../../platform/lists.ts'
import type { Tx } from '../../platform/scope.ts'
import { and, desc, eq, inArray, sql as tag } from '../../platform/sql.ts'
import { botConfigs, gptAnswers } from './botConfigs.table.ts'

const prompt = { id: botConfigs.id, name: botConfigs.name, model: botConfigs.model }

/** One page by name; the search looks at name and model. */
export async function listBotConfigs(tx: Tx, asked: PageQuery) {
  const found = tx.sql
    .select(prompt)
    .from(botConfigs)
    .where(and(standing(tx), containing(asked.searchParam, botConfigs.name, botConfigs.model)))
    .orderBy(firstIn(botConfigs.name, asked.searchParam), tag`lower(${botConfigs.name})`, botConfigs.id)
  const { rows, hasMore } = await onePage(asked, (limit, offset) => found.limit(limit).offset(offset))
  return { botConfigs: rows, hasMore }
}

/** Which of these prompts there are. */
export async function knownPrompts(tx: Tx, botConfigIds: number[]): Promise<number[]> {
  return (await namedPrompts(tx, botConfigIds)).map(({ id }) => id)
}

/** Those of the named prompts that there are. */
export const namedPrompts = async (tx: Tx, botConfigIds: number[]): Promise<Prompt[]> =>
  botConfigIds.length === 0
    ? []
    : await tx.sql
        .select(prompt)
        .from(botConfigs)
        .where(and(standing(tx), inArray(botConfigs.id, botConfigIds)))

/** Null when it was deleted, or never was. */
export async function botConfigOr(tx: Tx, botConfigId: number): Promise<BotConfig | null> {
  const [row] = await tx.sql.select().from(botConfigs).where(own(tx, botConfigId))
  return row ?? null
}

/** Refuses with ERR_NOT_FOUND. */
export const findBotConfig = async (tx: Tx, botConfigId: number): Promise<BotConfig> =>
  (await botConfigOr(tx, botConfigId)) ?? noBotConfig()

export async function insertBotConfig(tx: Tx, input: BotConfigInput): Promise<BotConfig> {
  const [row] = await tx.sql
    .insert(botConfigs)
    .values({ ...input, companyId: tx.companyId })
    .returning()
  return row!
}

/** Refuses with ERR_NOT_FOUND. */
export async function updateBotConfig(
  tx: Tx,
  botConfigId: number,
  fields: Partial<BotConfig>,
): Promise<BotConfig> {
  const [row] = await tx.sql.update(botConfigs).set(fields).where(own(tx, botConfigId)).returning()
  return row ?? noBotConfig()
}

/** Those that lead to a queue that goes lead to none. */
export const detachQueueFrom = (tx: Tx, queueId: number) =>
  tx.sql
    .update(botConfigs)
    .set({ lastQueueId: null })
    .where(and(eq(botConfigs.companyId, tx.companyId), eq(botConfigs.lastQueueId, queueId)))

/** What came of asking, newest first. Refuses with ERR_NOT_FOUND. */
export async function listAnswers(tx: Tx, botConfigId: number, asked: PageQuery) {
  await findBotConfig(tx, botConfigId)
  const found = tx.sql
    .select()
    .from(gptAnswers)
    .where(and(eq(gptAnswers.companyId, tx.companyId), eq(gptAnswers.botConfigId, botConfigId)))
    .orderBy(desc(gptAnswers.id))
  const { rows, hasMore } = await onePage(asked, (limit, offset) => found.limit(limit).offset(offset))
  return { answers: rows, hasMore }
}

export const insertAnswer = (tx: Tx, answer: Omit<typeof gptAnswers.$inferInsert, 'companyId'>) =>
  tx.sql.insert(gptAnswers).values({ ...answer, companyId: tx.companyId })

const standing = (tx: Tx) => and(eq(botConfigs.companyId, tx.companyId), eq(botConfigs.isDeleted, false))
const own = (tx: Tx, botConfigId: number) => and(standing(tx), eq(botConfigs.id, botConfigId))
const noBotConfig = () => refuse('ERR_NOT_FOUND', { field: 'botConfigId' })
