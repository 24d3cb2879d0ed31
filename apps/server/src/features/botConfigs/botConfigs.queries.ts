import type {
  BotConfig,
  BotConfigInput,
  ModelAnswer,
  Prompt,
  TrialMessage,
} from '@balcao/contract/botConfigs.ts'
import type { PageQuery } from '@balcao/contract/kit.ts'
import { refuse } from '../../platform/errors.ts'
import { containing, firstIn, onePage } from '../../platform/lists/lists.ts'
import { and, count, desc, eq, gt, inArray, sql as tag } from '../../platform/postgres/sql.ts'
import type { Tx } from '../../platform/scope.ts'
import { lifetime } from '../../platform/work/retention.ts'
import { tickets } from '../tickets/tickets.table.ts'
import { botConfigs, gptAnswers, gptDialogs, gptTrials } from './botConfigs.table.ts'

const prompt = { id: botConfigs.id, name: botConfigs.name, model: botConfigs.model }

/** One page by name; the search looks at name and model. */
export async function listBotConfigs(tx: Tx, asked: PageQuery) {
  const found = tx.sql
    .select(prompt)
    .from(botConfigs)
    .where(and(existing(tx), containing(asked.searchParam, botConfigs.name, botConfigs.model)))
    .orderBy(firstIn(botConfigs.name, asked.searchParam), tag`folded(${botConfigs.name})`, botConfigs.id)
  const { rows, hasMore } = await onePage(asked, (limit, offset) => found.limit(limit).offset(offset))
  return { botConfigs: rows, hasMore }
}

/** Which of these prompts exist. */
export async function knownPrompts(tx: Tx, botConfigIds: number[]): Promise<number[]> {
  return (await namedPrompts(tx, botConfigIds)).map(({ id }) => id)
}

/** Which of these prompts exist, with name and model. */
export const namedPrompts = async (tx: Tx, botConfigIds: number[]): Promise<Prompt[]> =>
  botConfigIds.length === 0
    ? []
    : await tx.sql
        .select(prompt)
        .from(botConfigs)
        .where(and(existing(tx), inArray(botConfigs.id, botConfigIds)))

/** Null when it was deleted. */
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

/** Removes a deleted queue from prompts. */
export const detachQueueFrom = (tx: Tx, queueId: number) =>
  tx.sql
    .update(botConfigs)
    .set({ lastQueueId: null })
    .where(and(eq(botConfigs.companyId, tx.companyId), eq(botConfigs.lastQueueId, queueId)))

/** Calls of a model with their results, newest first. Refuses with ERR_NOT_FOUND. */
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

export async function insertAnswer(
  tx: Tx,
  answer: Omit<typeof gptAnswers.$inferInsert, 'companyId'>,
): Promise<number> {
  const [row] = await tx.sql
    .insert(gptAnswers)
    .values({ ...answer, companyId: tx.companyId })
    .returning({ id: gptAnswers.id })
  return row!.id
}

export const updateOutcome = (tx: Tx, answerId: number, outcome: ModelAnswer['outcome']) =>
  tx.sql
    .update(gptAnswers)
    .set({ outcome })
    .where(and(eq(gptAnswers.companyId, tx.companyId), eq(gptAnswers.id, answerId)))

/** Calls of models within the last hour: of the company, of this ticket, and of all tickets of its contact. */
export async function callsWithinAnHour(tx: Tx, ticketId: number | null) {
  const ofTicket = tag`${gptAnswers.ticketId} = ${ticketId}`
  const ofContact = tag`${gptAnswers.ticketId} in (select t.id from ${tickets} t where t.company_id = ${tx.companyId}
    and t.contact_id = (select own.contact_id from ${tickets} own where own.company_id = ${tx.companyId} and own.id = ${ticketId}))`
  const [row] = await tx.sql
    .select({
      company: count(),
      ticket: tag<number>`(count(*) filter (where ${ofTicket}))::int`,
      contact: tag<number>`(count(*) filter (where ${ofContact}))::int`,
    })
    .from(gptAnswers)
    .where(and(eq(gptAnswers.companyId, tx.companyId), gt(gptAnswers.at, tag`now() - interval '1 hour'`)))
  return row!
}

const existing = (tx: Tx) => and(eq(botConfigs.companyId, tx.companyId), eq(botConfigs.isDeleted, false))

const own = (tx: Tx, botConfigId: number) => and(existing(tx), eq(botConfigs.id, botConfigId))

const noBotConfig = () => refuse('ERR_NOT_FOUND', { field: 'botConfigId' })

const trialColumns = {
  id: gptTrials.id,
  body: gptTrials.body,
  fromMe: gptTrials.fromMe,
  createdAt: gptTrials.createdAt,
  effect: gptTrials.effect,
}

export async function trialsOf(tx: Tx, botConfigId: number): Promise<TrialMessage[]> {
  const rows = await tx.sql
    .select(trialColumns)
    .from(gptTrials)
    .where(ownTrials(tx, botConfigId))
    .orderBy(desc(gptTrials.position))
    .limit(MAX_TRIALS)
  return rows.reverse()
}

const MAX_TRIALS = 200

const ownTrials = (tx: Tx, botConfigId: number) =>
  and(eq(gptTrials.companyId, tx.companyId), eq(gptTrials.botConfigId, botConfigId))

type NewTrial = Omit<typeof gptTrials.$inferInsert, 'companyId'>

export async function insertTrial(tx: Tx, trial: NewTrial): Promise<TrialMessage> {
  const [message] = await tx.sql
    .insert(gptTrials)
    .values({ ...trial, companyId: tx.companyId })
    .returning(trialColumns)
  return message!
}

export const deleteTrials = (tx: Tx, botConfigId: number) =>
  tx.sql.delete(gptTrials).where(ownTrials(tx, botConfigId))

export const botConfigLifetimes = [
  lifetime(gptDialogs, gptDialogs.endedAt, 90),
  lifetime(gptAnswers, gptAnswers.at, 730),
]
