import { isOtherHours } from '@balcao/contract/businessHours.rules.ts'
import type { CloudInput } from '@balcao/contract/cloud.ts'
import type { Connection, ConnectionInput, Lib } from '@balcao/contract/connections.ts'
import { IMPORTED, IMPORTING } from '@balcao/contract/imports.ts'
import { isUniqueViolation, refuse } from '../../platform/errors.ts'
import { type Scope, type Tx, viewerOf } from '../../platform/scope.ts'
import { hoursChanged } from '../businessHours/businessHours.events.ts'
import { keepZone } from '../businessHours/businessHours.queries.ts'
import { instantOf, limitsOf } from '../companies/companies.queries.ts'
import { knownQueues } from '../queues/queues.queries.ts'
import { notifyOfConnection } from '../users/users.detach.actions.ts'
import { cloudOf, upsertCloud } from './connections.cloud.queries.ts'
import { connectionChanged } from './connections.events.ts'
import { defaultConnection, findConnection, lockConnections } from './connections.queries.ts'
import { CLOUD_FIELDS, type CloudRow, refuseForeignConnection, refuseUnsound } from './connections.rules.ts'
import { startSession } from './connections.session.actions.ts'
import {
  deleteNetwork,
  insertConnection,
  removeQueueFromConnections,
  setConnectionQueues,
  setImportStatus,
  updateConnection,
} from './connections.settings.queries.ts'

export type ConnectionChanges = Partial<ConnectionInput>

/**
 * Adds a connection within the plan; the first one is the default. Refuses with ERR_NO_COMPANY_PLAN,
 * ERR_NO_LIMIT_WHATSAPP, ERR_NAME_EXISTS, ERR_WAPP_GREETING_REQUIRED. Secrets in the input must be encrypted; codes in
 * the result are.
 */
export const addConnection = (
  scope: Scope,
  input: ConnectionInput,
  { demo }: { demo: boolean },
): Promise<Connection> =>
  orNameExists(
    scope.transaction(async tx => {
      await refuseOverLimit(tx)
      const columns = await columnsOf(tx, input)
      const queueIds = await knownQueues(tx, input.queueIds ?? [])
      refuseForeignConnection(() => viewerOf(tx), null, columns, { demo })
      refuseUnsound({
        queueIds,
        greetingMessage: columns.greetingMessage ?? '',
        importOldMessages: columns.importOldMessages ?? null,
        importRecentMessages: columns.importRecentMessages ?? null,
      })
      const isDefault = columns.isDefault || (await defaultConnection(tx)) === null
      if (isDefault) await unsetDefault(tx)
      const whatsappId = await insertConnection(tx, { ...columns, name: input.name, isDefault })
      await setConnectionQueues(tx, whatsappId, queueIds)
      const lib = columns.lib ?? 'baileys'
      const isNewCloud = await keepCloud(tx, whatsappId, lib, input.cloud)
      // there is nothing to pair
      if (isNewCloud || lib === 'simulator') await startSession(tx, whatsappId)
      return emitConnectionChanged(tx, whatsappId)
    }),
  )

/**
 * Changes a connection; a new default replaces the previous one. Refuses with ERR_NO_WAPP_FOUND,
 * ERR_NO_OTHER_WHATSAPP for a company left without default, and what `addConnection` refuses.
 */
export const changeConnection = (
  scope: Scope,
  whatsappId: number,
  input: ConnectionChanges,
  { demo }: { demo: boolean },
): Promise<Connection> =>
  orNameExists(
    scope.transaction(async tx => {
      await lockConnections(tx)
      const before = await findConnection(tx, whatsappId)
      if (before.status === 'REMOVING') refuse('ERR_NO_WAPP_FOUND')
      const columns = await columnsOf(tx, input)
      const queueIds = input.queueIds ? await knownQueues(tx, input.queueIds) : before.queueIds
      refuseForeignConnection(() => viewerOf(tx), before, columns, { demo })
      refuseUnsound({ ...before, ...columns, queueIds })
      if (before.isDefault && columns.isDefault === false)
        refuse('ERR_NO_OTHER_WHATSAPP', { field: 'isDefault' })
      if (columns.isDefault && !before.isDefault) await unsetDefault(tx)
      await updateConnection(tx, whatsappId, columns)
      if (isOtherHours(before, input)) await tx.involve(hoursChanged, { queueId: null })
      if (columns.lib && columns.lib !== before.lib) await deleteNetwork(tx, whatsappId)
      const isNewCloud = await keepCloud(tx, whatsappId, columns.lib ?? before.lib, input.cloud)
      if (input.queueIds) await setConnectionQueues(tx, whatsappId, queueIds)
      if (columns.name && columns.name !== before.name) await notifyOfConnection(tx, whatsappId)
      const isNewSimulator = columns.lib === 'simulator' && before.lib !== 'simulator'
      if (isNewCloud || isNewSimulator) await startSession(tx, whatsappId)
      return emitConnectionChanged(tx, whatsappId)
    }),
  )

export async function detachQueueFromConnections(tx: Tx, queueId: number) {
  for (const whatsappId of await removeQueueFromConnections(tx, queueId))
    await emitConnectionChanged(tx, whatsappId)
}

const IMPORT_NOTES: Record<string, string> = {
  [IMPORTING]: 'an import began',
  [IMPORTED]: 'an import ended',
  '': 'an import ended, and its tickets were closed',
}

/** Sets the state of the import of old messages (OP-77): importing, imported or empty. */
export async function markImport(tx: Tx, whatsappId: number, status: string): Promise<void> {
  if (!(await setImportStatus(tx, whatsappId, status))) return
  tx.note(IMPORT_NOTES[status] ?? 'an import ended', { whatsappId })
  await emitConnectionChanged(tx, whatsappId)
}

export async function emitConnectionChanged(tx: Tx, whatsappId: number): Promise<Connection> {
  const connection = await findConnection(tx, whatsappId)
  tx.emit(connectionChanged, connection)
  return connection
}

async function unsetDefault(tx: Tx) {
  const previous = await defaultConnection(tx)
  if (previous === null) return
  await updateConnection(tx, previous, { isDefault: false })
  await emitConnectionChanged(tx, previous)
}

/**
 * Stores the settings of the official API, with encrypted secrets. Refuses ERR_BAD_REQUEST when one is missing, when the
 * number is another connection's, and for any other kind of connection. Returns whether anything changed.
 */
async function keepCloud(
  tx: Tx,
  whatsappId: number,
  lib: Lib,
  input: CloudInput | undefined,
): Promise<boolean> {
  if (lib !== 'cloud') {
    if (input) refuse('ERR_BAD_REQUEST', { field: 'cloud', message: 'Only for the official API' })
    return false
  }
  const known = await cloudOf(tx, whatsappId)
  if (known && (!input || CLOUD_FIELDS.every(name => !input[name]))) return false
  const given = Object.fromEntries(CLOUD_FIELDS.flatMap(name => (input?.[name] ? [[name, input[name]]] : [])))
  const all = { ...known, ...given } as Partial<CloudRow>
  const missing = CLOUD_FIELDS.find(name => !all[name])
  if (missing) refuse('ERR_BAD_REQUEST', { field: `cloud.${missing}`, message: 'Required' })
  await upsertCloud(tx, whatsappId, given)
  return true
}

/** The columns of an input. A day or a time without a zone is in the company's zone. */
async function columnsOf(tx: Tx, { queueIds: _rows, cloud: _settings, ...input }: ConnectionChanges) {
  const { importOldMessages, importRecentMessages, ...plain } = input
  const { isDefault, disableGroupMessages, lib, name, hours, holidays, ...flags } = plain
  if (hours) await keepZone(tx)
  return defined({
    name,
    lib,
    hours,
    holidays,
    isDefault: truth(isDefault),
    disableGroupMessages: truth(disableGroupMessages),
    importOldMessagesGroups: truth(flags.importOldMessagesGroups),
    closedTicketsPostImported: truth(flags.closedTicketsPostImported),
    saasNotificationCenter: truth(flags.saasNotificationCenter),
    greetingMessage: written(flags.greetingMessage),
    farewellMessage: written(flags.farewellMessage),
    outOfHoursMessage: written(flags.outOfHoursMessage),
    importOldMessages: await instant(tx, importOldMessages),
    importRecentMessages: await instant(tx, importRecentMessages),
  })
}

const written = (text: string | null | undefined) => (text === null ? '' : text)

const truth = (bit: 0 | 1 | undefined) => (bit === undefined ? undefined : bit === 1)

const instant = async (tx: Tx, text: string | null | undefined) => (text ? instantOf(tx, text) : text)

type Defined<T> = { [K in keyof T]?: Exclude<T[K], undefined> }
const defined = <T extends object>(fields: T) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Defined<T>

/** Refuses with ERR_NO_COMPANY_PLAN, ERR_NO_LIMIT_WHATSAPP. */
async function refuseOverLimit(tx: Tx) {
  const limits = (await limitsOf(tx.sql, tx.companyId)) ?? refuse('ERR_NO_COMPANY_PLAN')
  if ((await lockConnections(tx)).length >= limits.connections) refuse('ERR_NO_LIMIT_WHATSAPP')
}

const orNameExists = <T>(work: Promise<T>) =>
  work.catch((error: unknown) => {
    if (isUniqueViolation(error, 'whatsapps_name')) return refuse('ERR_NAME_EXISTS', { field: 'name' })
    throw error
  })
