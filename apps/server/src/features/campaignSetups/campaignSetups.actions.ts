import { randomUUID } from 'node:crypto'
import {
  type ButtonsMessage,
  type CampaignSetup,
  type CampaignSetupInput,
  NO_CONNECTION,
  setupDefaults,
} from '@balcao/contract/campaignSetups.ts'
import { mayManageCampaign } from '@balcao/contract/campaigns.rules.ts'
import { may } from '@balcao/contract/permissions.rules.ts'
import type { Secrets } from '../../platform/access/secrets.ts'
import { refuse } from '../../platform/errors.ts'
import { newSigningSecret } from '../../platform/outbound/webhooks.ts'
import { type Scope, type Tx, viewerOf } from '../../platform/scope.ts'
import { knownCategories } from '../categories/categories.queries.ts'
import { knownFlows } from '../flows/flows.queries.ts'
import { holdQueuesOrNone } from '../queues/queues.queries.ts'
import { heldTags } from '../tags/tags.queries.ts'
import { ticketIdsInCompany } from '../tickets/moves/moves.queries.ts'
import { setupChanged, setupLeaving, setupMoved, setupRenewed } from './campaignSetups.events.ts'
import {
  connectCampaignSetup,
  copyUnderId,
  deleteCampaignSetup,
  findCampaignSetup,
  insertCampaignSetup,
  lockCampaignSetup,
  lockSetupsOf,
  requireCampaigns,
  updateCampaignSetup,
  usableConnections,
} from './campaignSetups.queries.ts'

/**
 * Adds a setup of the caller. Its id is random, since it is a token that makes campaigns. Refuses with ERR_NO_PERMISSION without
 * campaigns or, for another webhook, without the right to webhooks, ERR_NO_QUEUE_FOUND, ERR_NO_USER_FOUND, and ERR_BAD_REQUEST for connections of others or the default one.
 */
export const addCampaignSetup = (
  scope: Scope,
  { whatsapps, userId, ...input }: CampaignSetupInput,
): Promise<CampaignSetup> =>
  scope.transaction(async tx => {
    await requireCampaigns(tx)
    refuseWebhook(tx, input.webhookUrlConcluded, '')
    checkHours(input, noHours)
    const whatsappIds = await checkConnections(tx, whatsapps)
    const owner = ownerOfInput(tx, userId, viewerOf(tx).id)
    await ticketIdsInCompany(tx, { queueId: input.queueId ?? null, userId: owner })
    const jsonButtonOrList = await checkedButtons(tx, input.jsonButtonOrList, null)
    const id = randomUUID()
    await insertCampaignSetup(tx, {
      ...setupDefaults,
      ...defined({ ...input, jsonButtonOrList }),
      name: input.name,
      id,
      userId: owner,
    })
    await connectCampaignSetup(tx, id, whatsappIds)
    return publishSetup(tx, 'create', id)
  })

type Change = { [Field in keyof CampaignSetupInput]?: CampaignSetupInput[Field] | undefined }

/** Changes a setup. Refuses with ERR_NOT_FOUND, ERR_NO_PERMISSION and what `addCampaignSetup` refuses. */
export const changeCampaignSetup = (
  scope: Scope,
  idOrHandle: string,
  { whatsapps, userId, ...input }: Change,
): Promise<CampaignSetup> =>
  scope.transaction(async tx => {
    const before = await lockManaged(tx, idOrHandle)
    const setupId = before.id
    refuseWebhook(tx, input.webhookUrlConcluded, before.webhookUrlConcluded)
    checkHours(input, before)
    const whatsappIds = whatsapps && (await checkConnections(tx, whatsapps, await connectionsOf(tx, setupId)))
    const owner = userId === undefined ? before.userId : ownerOfInput(tx, userId, before.userId)
    await ticketIdsInCompany(tx, { queueId: input.queueId ?? null, userId: owner })
    const jsonButtonOrList = await checkedButtons(tx, input.jsonButtonOrList, before.jsonButtonOrList)
    await updateCampaignSetup(tx, setupId, { ...defined({ ...input, jsonButtonOrList }), userId: owner })
    if (whatsappIds) await connectCampaignSetup(tx, setupId, whatsappIds)
    await tx.involve(setupMoved, { setupId })
    return publishSetup(tx, 'update', setupId)
  })

/** Deletes a setup. Refuses with ERR_NOT_FOUND, ERR_NO_PERMISSION, and ERR_SETUP_IN_USE while a campaign needs it. */
export const removeCampaignSetup = (scope: Scope, idOrHandle: string): Promise<void> =>
  scope.transaction(async tx => {
    const { id: setupId } = await lockManaged(tx, idOrHandle)
    await tx.involve(setupLeaving, { setupId })
    await deleteCampaignSetup(tx, setupId)
    tx.emit(setupChanged, { action: 'delete', campaignSetupId: setupId })
  })

/** Setups of a user whose password changed get other ids: the ones that programs have make no campaigns any more. */
export async function renewSetupIds(tx: Tx, userId: number): Promise<void> {
  const rows = await lockSetupsOf(tx, userId)
  for (const row of rows) {
    const to = randomUUID()
    await copyUnderId(tx, row, to)
    await tx.involve(setupRenewed, { from: row.id, to })
    await deleteCampaignSetup(tx, row.id)
    tx.emit(setupChanged, { action: 'delete', campaignSetupId: row.id })
    await publishSetup(tx, 'create', to)
  }
  if (rows.length > 0) tx.note('ids of campaign setups end with a password', { userId, count: rows.length })
}

/** A setup that the caller may change, locked. Refuses with ERR_NOT_FOUND, ERR_NO_PERMISSION. */
async function lockManaged(tx: Tx, idOrHandle: string) {
  await requireCampaigns(tx)
  const setup =
    (await lockCampaignSetup(tx, idOrHandle)) ?? refuse('ERR_NOT_FOUND', { field: 'campaignSetupId' })
  return mayManageCampaign(viewerOf(tx), setup) ? setup : refuse('ERR_NO_PERMISSION')
}

const refusals = {
  queueId: 'ERR_NO_QUEUE_FOUND',
  tagId: 'ERR_NO_TAG_FOUND',
  categoryId: 'ERR_NOT_FOUND',
  flowId: 'ERR_NOT_FOUND',
} as const
const acts = ['queueId', 'tagId', 'categoryId', 'flowId'] as const

/**
 * The buttons, without what was deleted since they were stored. Refuses other unknown ids with ERR_NO_QUEUE_FOUND,
 * ERR_NO_TAG_FOUND, ERR_NOT_FOUND.
 */
async function checkedButtons(tx: Tx, given: Change['jsonButtonOrList'], before: ButtonsMessage | null) {
  if (!given) return given
  const known = {
    queueId: await holdQueuesOrNone(tx, named(given, 'queueId')),
    tagId: await heldTags(tx, named(given, 'tagId')),
    categoryId: await knownCategories(tx, named(given, 'categoryId')),
    flowId: await knownFlows(tx, named(given, 'flowId')),
  }
  const buttons = given.buttons.map(button => {
    const gone = acts.filter(act => button[act] && !known[act].includes(button[act]))
    const strange = gone.find(act => !before || !named(before, act).includes(button[act]!))
    if (strange) refuse(refusals[strange], { field: strange })
    return { ...button, ...Object.fromEntries(gone.map(act => [act, null] as const)) }
  })
  return { ...given, buttons }
}

const named = ({ buttons }: ButtonsMessage, act: (typeof acts)[number]) =>
  buttons.flatMap(button => button[act] || [])

/** The connections, all allowed. One that it `had` may be the default by now. */
async function checkConnections(tx: Tx, whatsappIds: number[], had: number[] = []): Promise<number[]> {
  const wanted = [...new Set(whatsappIds)]
  if (wanted.length === 0) return refuse('ERR_BAD_REQUEST', { field: 'whatsapps', message: NO_CONNECTION })
  const known = [...had, ...(await usableConnections(tx, wanted))]
  return wanted.every(id => known.includes(id))
    ? wanted
    : refuse('ERR_BAD_REQUEST', { field: 'whatsapps', message: 'Connections other than the default' })
}

/** Another system is called only at addresses that were named with the right to webhooks; one may be taken off without it. */
function refuseWebhook(tx: Tx, url: string | undefined, before: string) {
  if (url && url !== before && !may(viewerOf(tx), 'webhooks'))
    refuse('ERR_NO_PERMISSION', { field: 'webhookUrlConcluded' })
}

type Hours = Pick<CampaignSetup, 'dailyFrom' | 'dailyUntil'>
const noHours: Hours = { dailyFrom: null, dailyUntil: null }

function checkHours(input: Partial<Change>, before: Hours) {
  const { dailyFrom = before.dailyFrom, dailyUntil = before.dailyUntil } = input
  if ((dailyFrom === null) === (dailyUntil === null)) return
  const field = dailyFrom === null ? 'dailyFrom' : 'dailyUntil'
  refuse('ERR_BAD_REQUEST', { field, message: 'Both ends, or none' })
}

const connectionsOf = async (tx: Tx, setupId: string) =>
  (await findCampaignSetup(tx, setupId)).whatsapps.map(({ id }) => id)

/** Only an admin may name another owner; from others the field is ignored. */
const ownerOfInput = (tx: Tx, idOrHandle: number | null | undefined, usual: number | null) =>
  idOrHandle && may(viewerOf(tx), 'admin') ? idOrHandle : usual

type Seal = Pick<Secrets, 'seal' | 'open'>

/** The secret, for those who manage the setup. Refuses with ERR_NOT_FOUND, ERR_NO_PERMISSION. */
export const showSetupSecret = (
  scope: Scope,
  idOrHandle: string,
  secrets: Seal,
): Promise<{ secret: string }> =>
  scope.transaction(async tx => {
    const { id: setupId } = await lockManaged(tx, idOrHandle)
    return { secret: (await ensureSecret(tx, setupId, secrets))! }
  })

/** The secret that signs a setup's webhook, made at its first use; null for a deleted setup. */
export async function ensureSecret(tx: Tx, setupId: string, secrets: Seal): Promise<string | null> {
  const setup = await lockCampaignSetup(tx, setupId)
  if (!setup) return null
  if (setup.webhookSecret) return secrets.open(tx.companyId, setup.webhookSecret)
  const made = newSigningSecret()
  await updateCampaignSetup(tx, setupId, { webhookSecret: secrets.seal(tx.companyId, made) })
  return made
}

/** The input without undefined fields. */
const defined = <Input extends object>(input: Input) =>
  Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined)) as {
    [Field in keyof Input]: Exclude<Input[Field], undefined>
  }

export async function publishSetup(
  tx: Tx,
  action: 'create' | 'update',
  setupId: string,
): Promise<CampaignSetup> {
  const campaignSetup = await findCampaignSetup(tx, setupId)
  tx.emit(setupChanged, { action, campaignSetup })
  return campaignSetup
}
