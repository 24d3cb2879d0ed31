import { randomUUID } from 'node:crypto'
import {
  type CampaignSetup,
  type CampaignSetupInput,
  NO_CONNECTION,
  setupDefaults,
} from '@balcao/contract/campaignSetups.ts'
import { mayManageCampaign } from '@balcao/contract/campaigns.rules.ts'
import { may } from '@balcao/contract/permissions.rules.ts'
import { refuse } from '../../platform/errors.ts'
import { type Scope, type Tx, viewerOf } from '../../platform/scope.ts'
import type { Secrets } from '../../platform/secrets.ts'
import { newSigningSecret } from '../../platform/webhooks.ts'
import { ticketIdsInCompany } from '../tickets/tickets.checks.ts'
import { setupChanged, setupLeaving, setupMoved } from './campaignSetups.events.ts'
import {
  askCampaigns,
  connectCampaignSetup,
  deleteCampaignSetup,
  findCampaignSetup,
  insertCampaignSetup,
  lockCampaignSetup,
  updateCampaignSetup,
  usableConnections,
} from './campaignSetups.queries.ts'

/**
 * Adds a setup of the caller; its id is random, since whoever has it may make campaigns. Refuses with ERR_NO_PERMISSION
 * where there are no campaigns, ERR_NO_QUEUE_FOUND, ERR_NO_USER_FOUND, and ERR_BAD_REQUEST for connections that are not
 * the company's or are its default.
 */
export const addCampaignSetup = (
  scope: Scope,
  { whatsapps, userId, ...input }: CampaignSetupInput,
): Promise<CampaignSetup> =>
  scope.transaction(async tx => {
    await askCampaigns(tx)
    askHours(input, noHours)
    const whatsappIds = await usable(tx, whatsapps)
    const owner = ownerFor(tx, userId, viewerOf(tx).id)
    await ticketIdsInCompany(tx, { queueId: input.queueId ?? null, userId: owner })
    const id = randomUUID()
    await insertCampaignSetup(tx, { ...setupDefaults, ...given(input), name: input.name, id, userId: owner })
    await connectCampaignSetup(tx, id, whatsappIds)
    return announced(tx, 'create', id)
  })

type Change = { [Field in keyof CampaignSetupInput]?: CampaignSetupInput[Field] | undefined }

/** Changes a setup. Refuses with ERR_NOT_FOUND, ERR_NO_PERMISSION and what `addCampaignSetup` refuses. */
export const changeCampaignSetup = (
  scope: Scope,
  setupId: string,
  { whatsapps, userId, ...input }: Change,
): Promise<CampaignSetup> =>
  scope.transaction(async tx => {
    const before = await lockManaged(tx, setupId)
    askHours(input, before)
    const whatsappIds = whatsapps && (await usable(tx, whatsapps, await connectionsOf(tx, setupId)))
    const owner = userId === undefined ? before.userId : ownerFor(tx, userId, before.userId)
    await ticketIdsInCompany(tx, { queueId: input.queueId ?? null, userId: owner })
    await updateCampaignSetup(tx, setupId, { ...given(input), userId: owner })
    if (whatsappIds) await connectCampaignSetup(tx, setupId, whatsappIds)
    await tx.involve(setupMoved, { setupId })
    return announced(tx, 'update', setupId)
  })

/** Deletes a setup. Refuses with ERR_NOT_FOUND, ERR_NO_PERMISSION, and ERR_SETUP_IN_USE while a campaign needs it. */
export const removeCampaignSetup = (scope: Scope, setupId: string): Promise<void> =>
  scope.transaction(async tx => {
    await lockManaged(tx, setupId)
    await tx.involve(setupLeaving, { setupId })
    await deleteCampaignSetup(tx, setupId)
    tx.emit(setupChanged, { action: 'delete', campaignSetupId: setupId })
  })

/** The setup as it stands, locked. Refuses with ERR_NOT_FOUND, and with ERR_NO_PERMISSION whom it does not belong to. */
async function lockManaged(tx: Tx, setupId: string) {
  await askCampaigns(tx)
  const setup =
    (await lockCampaignSetup(tx, setupId)) ?? refuse('ERR_NOT_FOUND', { field: 'campaignSetupId' })
  return mayManageCampaign(viewerOf(tx), setup) ? setup : refuse('ERR_NO_PERMISSION')
}

/** Every one of them, or none. One that it `had` may have become the default since. */
async function usable(tx: Tx, whatsappIds: number[], had: number[] = []): Promise<number[]> {
  const wanted = [...new Set(whatsappIds)]
  if (wanted.length === 0) return refuse('ERR_BAD_REQUEST', { field: 'whatsapps', message: NO_CONNECTION })
  const known = [...had, ...(await usableConnections(tx, wanted))]
  return wanted.every(id => known.includes(id))
    ? wanted
    : refuse('ERR_BAD_REQUEST', { field: 'whatsapps', message: 'Connections other than the default' })
}

type Hours = Pick<CampaignSetup, 'dailyFrom' | 'dailyUntil'>
const noHours: Hours = { dailyFrom: null, dailyUntil: null }

/** One end alone says nothing of the other. */
function askHours(input: Partial<Change>, before: Hours) {
  const { dailyFrom = before.dailyFrom, dailyUntil = before.dailyUntil } = input
  if ((dailyFrom === null) === (dailyUntil === null)) return
  const field = dailyFrom === null ? 'dailyFrom' : 'dailyUntil'
  refuse('ERR_BAD_REQUEST', { field, message: 'Both ends, or none' })
}

const connectionsOf = async (tx: Tx, setupId: string) =>
  (await findCampaignSetup(tx, setupId)).whatsapps.map(({ id }) => id)

/** An admin may name somebody else; the others’ word for it is read past. */
const ownerFor = (tx: Tx, named: number | null | undefined, usual: number | null) =>
  named && may(viewerOf(tx), 'admin') ? named : usual

type Seal = Pick<Secrets, 'seal' | 'open'>

/** For whoever manages the setup. Refuses with ERR_NOT_FOUND, ERR_NO_PERMISSION. */
export const showSetupSecret = (scope: Scope, setupId: string, secrets: Seal): Promise<{ secret: string }> =>
  scope.transaction(async tx => {
    await lockManaged(tx, setupId)
    return { secret: (await ensureSecret(tx, setupId, secrets))! }
  })

/** What the webhook of a setup is signed with, made when it is first asked for; null when the setup is gone. */
export async function ensureSecret(tx: Tx, setupId: string, secrets: Seal): Promise<string | null> {
  const setup = await lockCampaignSetup(tx, setupId)
  if (!setup) return null
  if (setup.webhookSecret) return secrets.open(tx.companyId, setup.webhookSecret)
  const made = newSigningSecret()
  await updateCampaignSetup(tx, setupId, { webhookSecret: secrets.seal(tx.companyId, made) })
  return made
}

/** What was said, without what was left out. */
const given = <Input extends object>(input: Input) =>
  Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined)) as {
    [Field in keyof Input]: Exclude<Input[Field], undefined>
  }

async function announced(tx: Tx, action: 'create' | 'update', setupId: string): Promise<CampaignSetup> {
  const campaignSetup = await findCampaignSetup(tx, setupId)
  tx.emit(setupChanged, { action, campaignSetup })
  return campaignSetup
}
