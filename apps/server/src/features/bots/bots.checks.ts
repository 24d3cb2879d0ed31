import type { BotCommandInput } from '@balcao/contract/bots.commands.ts'
import type { BotSetupInput } from '@balcao/contract/bots.ts'
import type { ErrorCode } from '@balcao/contract/errors.ts'
import { refuse } from '../../platform/errors.ts'
import type { Tx } from '../../platform/scope.ts'
import { and, eq, inArray } from '../../platform/sql.ts'
import { knownPrompts } from '../botConfigs/botConfigs.queries.ts'
import { knownCategories } from '../categories/categories.queries.ts'
import { whatsapps } from '../connections/connections.table.ts'
import { knownFlows } from '../flows/flows.queries.ts'
import { selectQueues } from '../queues/queues.queries.ts'
import { queues } from '../queues/queues.table.ts'
import { heldTags } from '../tags/tags.queries.ts'
import { users } from '../users/users.table.ts'

type Known = (tx: Tx, ids: number[]) => PromiseLike<number[]>
type Kept = Partial<
  Record<'queueId' | 'userId' | 'flowId' | 'botConfigId' | 'transferQueueId', number | null>
>

/**
 * What is newly pointed to has to be there, and the company's own. What pointed to something that is gone meanwhile may
 * stay as it is: the author is told elsewhere. Refuses with the code of what is missing, and the field.
 */
export const askCommand = (tx: Tx, input: Partial<BotCommandInput>, before: Kept = {}) =>
  askAll(tx, [
    ['queueId', one(input.queueId, before.queueId), knownQueues, 'ERR_NO_QUEUE_FOUND'],
    ['userId', one(input.userId, before.userId), knownUsers, 'ERR_NO_USER_FOUND'],
    ['flowId', one(input.flowId, before.flowId), knownFlows, 'ERR_NOT_FOUND'],
    ['botConfigId', one(input.botConfigId, before.botConfigId), knownPrompts, 'ERR_NOT_FOUND'],
    ['tags', input.tags ?? [], heldTags, 'ERR_NO_TAG_FOUND'],
    ['botCategoryContacts', input.botCategoryContacts ?? [], knownCategories, 'ERR_NOT_FOUND'],
  ])

/** The same for a setup. */
export const askSetup = (tx: Tx, input: Partial<BotSetupInput>, before: Kept = {}) =>
  askAll(tx, [
    [
      'transferQueueId',
      one(input.transferQueueId, before.transferQueueId),
      knownQueues,
      'ERR_NO_QUEUE_FOUND',
    ],
    ['botConfigId', one(input.botConfigId, before.botConfigId), knownPrompts, 'ERR_NOT_FOUND'],
    ['whatsapps', input.whatsapps ?? [], knownConnections, 'ERR_NO_WAPP_FOUND'],
  ])

async function askAll(tx: Tx, asked: [field: string, ids: number[], known: Known, code: ErrorCode][]) {
  for (const [field, ids, known, code] of asked) {
    const wanted = [...new Set(ids)]
    if (wanted.length > 0 && (await known(tx, wanted)).length < wanted.length) refuse(code, { field })
  }
}

const one = (wanted: number | null | undefined, before: unknown) =>
  wanted === null || wanted === undefined || wanted === before ? [] : [wanted]

export async function knownUsers(tx: Tx, userIds: number[]): Promise<number[]> {
  const rows = await tx.sql
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.companyId, tx.companyId), inArray(users.id, userIds)))
  return rows.map(({ id }) => id)
}

const knownQueues = async (tx: Tx, queueIds: number[]): Promise<number[]> =>
  (await selectQueues(tx, inArray(queues.id, queueIds))).map(({ id }) => id)

async function knownConnections(tx: Tx, whatsappIds: number[]): Promise<number[]> {
  const rows = await tx.sql
    .select({ id: whatsapps.id })
    .from(whatsapps)
    .where(and(eq(whatsapps.companyId, tx.companyId), inArray(whatsapps.id, whatsappIds)))
  return rows.map(({ id }) => id)
}
