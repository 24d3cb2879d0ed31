import type { BotCommand, BotCommandInput } from '@balcao/contract/bots.commands.ts'
import { askedBy } from '@balcao/contract/bots.logic.rules.ts'
import type { BotLogic } from '@balcao/contract/bots.logic.ts'
import type { BotAround } from '@balcao/contract/bots.talk.ts'
import type { BotSetup, BotSetupInput } from '@balcao/contract/bots.ts'
import type { ErrorCode } from '@balcao/contract/errors.ts'
import { may } from '@balcao/contract/permissions.rules.ts'
import { refuse } from '../../platform/errors.ts'
import { and, eq, inArray } from '../../platform/postgres/sql.ts'
import { type Tx, viewerOf } from '../../platform/scope.ts'
import { knownPrompts } from '../botConfigs/botConfigs.queries.ts'
import { isOpenNow } from '../businessHours/businessHours.queries.ts'
import { knownCategories } from '../categories/categories.queries.ts'
import { findConnection } from '../connections/connections.queries.ts'
import { whatsapps } from '../connections/connections.table.ts'
import { knownFlows } from '../flows/flows.queries.ts'
import { selectQueues } from '../queues/queues.queries.ts'
import { queues } from '../queues/queues.table.ts'
import { heldTags } from '../tags/tags.queries.ts'
import { users } from '../users/users.table.ts'

type Known = (tx: Tx, ids: number[]) => PromiseLike<number[]>

type Kept = Partial<
  Record<'queueId' | 'userId' | 'flowId' | 'botConfigId' | 'transferQueueId', number | null>
> & { logic?: BotLogic | null }

/**
 * Checks new references of a command: they exist in the company. One to something that was deleted meanwhile may stay; the
 * editor shows it. Refuses with the code of what is missing, and the field.
 */
export async function checkCommand(
  tx: Tx,
  input: Partial<BotCommandInput>,
  before: Kept & { webhook?: string | null } = {},
): Promise<void> {
  checkWebhook(tx, input.webhook, before.webhook)
  await checkAll(tx, [
    ['queueId', one(input.queueId, before.queueId), knownQueues, 'ERR_NO_QUEUE_FOUND'],
    ['userId', one(input.userId, before.userId), knownUsers, 'ERR_NO_USER_FOUND'],
    ['flowId', one(input.flowId, before.flowId), knownFlows, 'ERR_NOT_FOUND'],
    ['botConfigId', one(input.botConfigId, before.botConfigId), knownPrompts, 'ERR_NOT_FOUND'],
    ['tags', input.tags ?? [], heldTags, 'ERR_NO_TAG_FOUND'],
    ['botCategoryContacts', input.botCategoryContacts ?? [], knownCategories, 'ERR_NOT_FOUND'],
    ['logic', newConditions('tag', input.logic, before.logic), heldTags, 'ERR_NO_TAG_FOUND'],
    ['logic', newConditions('category', input.logic, before.logic), knownCategories, 'ERR_NOT_FOUND'],
  ])
}

type Logic = BotLogic | null | undefined

function newConditions(kind: 'tag' | 'category', input: Logic, before: Logic): number[] {
  const had = namedIn(kind, before)
  return namedIn(kind, input).filter(id => !had.includes(id))
}

const namedIn = (kind: 'tag' | 'category', logic: Logic) =>
  (logic?.conditions ?? []).flatMap(one => (one.kind === kind ? one.id : []))

/** The same for a setup. */
export const checkSetup = (tx: Tx, input: Partial<BotSetupInput>, before: Kept = {}) =>
  checkAll(tx, [
    [
      'transferQueueId',
      one(input.transferQueueId, before.transferQueueId),
      knownQueues,
      'ERR_NO_QUEUE_FOUND',
    ],
    ['botConfigId', one(input.botConfigId, before.botConfigId), knownPrompts, 'ERR_NOT_FOUND'],
    ['whatsapps', input.whatsapps ?? [], knownConnections, 'ERR_NO_WAPP_FOUND'],
  ])

/** Customers meet a bot that is connected. Refuses with ERR_NO_PERMISSION. */
export function checkConnect(tx: Tx, whatsappIds: number[]): void {
  if (whatsappIds.length > 0 && !may(viewerOf(tx), 'bots:connect'))
    refuse('ERR_NO_PERMISSION', { field: 'whatsapps' })
}

/** What customers answer leaves the company by a webhook. Refuses a new one with ERR_NO_PERMISSION. */
function checkWebhook(tx: Tx, wanted: string | null | undefined, before: unknown): void {
  if (wanted && wanted !== before && !may(viewerOf(tx), 'webhooks'))
    refuse('ERR_NO_PERMISSION', { field: 'webhook' })
}

async function checkAll(tx: Tx, asked: [field: string, ids: number[], known: Known, code: ErrorCode][]) {
  for (const [field, ids, known, code] of asked) {
    const wanted = [...new Set(ids)]
    if (wanted.length > 0 && (await known(tx, wanted)).length < wanted.length) refuse(code, { field })
  }
}

const one = (wanted: number | null | undefined, before: unknown) =>
  wanted === null || wanted === undefined || wanted === before ? [] : [wanted]

async function knownUsers(tx: Tx, userIds: number[]): Promise<number[]> {
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

/** What a bot refers to, as far as it exists; the greeting is that of the connection. */
export async function referencesOf(
  tx: Tx,
  setup: BotSetup,
  commands: Pick<BotCommand, 'userId' | 'flowId' | 'botConfigId' | 'logic'>[],
  whatsappId: number | null,
): Promise<BotAround> {
  const idsIn = (field: 'userId' | 'flowId' | 'botConfigId') => [
    ...new Set(commands.flatMap(command => command[field] ?? [])),
  ]
  const prompts = [...idsIn('botConfigId'), ...(setup.botConfigId === null ? [] : [setup.botConfigId])]
  const userIds = idsIn('userId')
  const connection = whatsappId === null ? null : await findConnection(tx, whatsappId)
  return {
    greeting: connection?.greetingMessage ?? '',
    queues: (await selectQueues(tx)).map(({ id, greetingMessage }) => ({ id, greetingMessage })),
    userIds: userIds.length > 0 ? await knownUsers(tx, userIds) : [],
    flowIds: await knownFlows(tx, idsIn('flowId')),
    botConfigIds: await knownPrompts(tx, prompts),
    isOpen: askedBy(commands).hours ? await isOpenNow(tx, { whatsappId: connection?.id }) : null,
  }
}
