import type { Connection, ConnectionInput } from '@balcao/contract/connections.ts'
import { IMPORTED, IMPORTING } from '@balcao/contract/imports.ts'
import { isUniqueViolation, refuse } from '../../platform/errors.ts'
import type { Scope, Tx } from '../../platform/scope.ts'
import { and, eq, ne } from '../../platform/sql.ts'
import { knownQueues } from '../queues/queues.queries.ts'
import * as people from '../users/users.leave.ts'
import {
  type Columns,
  type ConnectionChanges,
  columnsOf,
  refuseForeignConnection,
  refuseOverLimit,
  refuseUnsound,
} from './connections.checks.ts'
import { forgetCloud, keepCloud } from './connections.cloud.ts'
import { connectionChanged, connectionLeaving, connectionRemoved } from './connections.events.ts'
import { defaultConnection, findConnection, lockConnections } from './connections.queries.ts'
import { whatsappKeys, whatsappLeases, whatsappQueues, whatsapps } from './connections.table.ts'
import { startSession } from './connections.wishes.ts'

/**
 * Adds a connection within the plan; the first one is the default. Refuses with ERR_NO_COMPANY_PLAN,
 * ERR_NO_LIMIT_WHATSAPP, ERR_NAME_EXISTS, ERR_WAPP_GREETING_REQUIRED. Codes in the answer are sealed, and so must
 * be the secrets in the input.
 */
export const addConnection = (
  scope: Scope,
  input: ConnectionInput,
  { demo }: { demo: boolean },
): Promise<Connection> =>
  orTaken(
    scope.transaction(async tx => {
      await refuseOverLimit(tx)
      const columns = await columnsOf(tx, input)
      const queueIds = await knownQueues(tx, input.queueIds ?? [])
      refuseForeignConnection(tx, null, columns, demo)
      refuseUnsound({
        queueIds,
        greetingMessage: columns.greetingMessage ?? '',
        importOldMessages: columns.importOldMessages ?? null,
        importRecentMessages: columns.importRecentMessages ?? null,
      })
      const isDefault = columns.isDefault || (await defaultConnection(tx)) === null
      if (isDefault) await dethrone(tx)
      const [row] = await tx.sql
        .insert(whatsapps)
        .values({ ...columns, name: input.name, isDefault, companyId: tx.companyId })
        .returning({ id: whatsapps.id })
      await setQueues(tx, row!.id, queueIds)
      if (await keepCloud(tx, row!.id, columns.lib ?? 'baileys', input.cloud)) await startSession(tx, row!.id)
      return emitConnectionChanged(tx, row!.id)
    }),
  )

/**
 * Changes a connection; a new default takes the flag from the former one. Refuses with ERR_NO_WAPP_FOUND,
 * ERR_NO_OTHER_WHATSAPP for a company left without default, and what `addConnection` refuses.
 */
export const changeConnection = (
  scope: Scope,
  whatsappId: number,
  input: ConnectionChanges,
  { demo }: { demo: boolean },
): Promise<Connection> =>
  orTaken(
    scope.transaction(async tx => {
      await lockConnections(tx)
      const before = await findConnection(tx, whatsappId)
      const columns = await columnsOf(tx, input)
      const queueIds = input.queueIds ? await knownQueues(tx, input.queueIds) : before.queueIds
      refuseForeignConnection(tx, before, columns, demo)
      refuseUnsound({ ...before, ...columns, queueIds })
      if (before.isDefault && columns.isDefault === false)
        refuse('ERR_NO_OTHER_WHATSAPP', { field: 'isDefault' })
      if (columns.isDefault && !before.isDefault) await dethrone(tx)
      await save(tx, whatsappId, columns)
      if (columns.lib && columns.lib !== before.lib) await forgetNetwork(tx, whatsappId)
      const isNewCloud = await keepCloud(tx, whatsappId, columns.lib ?? before.lib, input.cloud)
      if (input.queueIds) await setQueues(tx, whatsappId, queueIds)
      if (columns.name && columns.name !== before.name) await people.tellOfConnection(tx, whatsappId)
      if (isNewCloud) await startSession(tx, whatsappId)
      return emitConnectionChanged(tx, whatsappId)
    }),
  )

/**
 * Removes a connection with its keys. Tickets and users let go of it and what waits in its outbox fails, all in
 * this transaction. The default one stays (ERR_NO_OTHER_WHATSAPP): make another the default first.
 */
export const removeConnection = (scope: Scope, whatsappId: number) =>
  scope.transaction(async tx => {
    await lockConnections(tx)
    const { isDefault } = await findConnection(tx, whatsappId)
    if (isDefault) refuse('ERR_NO_OTHER_WHATSAPP')
    await tx.involve(connectionLeaving, { whatsappId })
    await people.detachConnectionFromUsers(tx, whatsappId)
    await tx.sql.delete(whatsapps).where(own(tx, whatsappId))
    tx.emit(connectionRemoved, { whatsappId })
  })

/** Connections lose a queue that is about to go, and say so. */
export async function detachQueueFromConnections(tx: Tx, queueId: number) {
  const left = await tx.sql
    .delete(whatsappQueues)
    .where(and(eq(whatsappQueues.companyId, tx.companyId), eq(whatsappQueues.queueId, queueId)))
    .returning({ id: whatsappQueues.whatsappId })
  for (const { id } of left) await emitConnectionChanged(tx, id)
}

const IMPORT_SAID: Record<string, string> = {
  [IMPORTING]: 'an import began',
  [IMPORTED]: 'an import ended',
  '': 'an import ended, and its tickets were closed',
}

/** How the import of old messages stands (OP-77): importing, imported or empty. Says so when it changed. */
export async function markImport(tx: Tx, whatsappId: number, status: string): Promise<void> {
  const changed = await tx.sql
    .update(whatsapps)
    .set({ statusImportMessages: status })
    .where(and(own(tx, whatsappId), ne(whatsapps.statusImportMessages, status)))
    .returning({ id: whatsapps.id })
  if (changed.length === 0) return
  tx.note(IMPORT_SAID[status] ?? 'an import ended', { whatsappId })
  await emitConnectionChanged(tx, whatsappId)
}

export async function emitConnectionChanged(tx: Tx, whatsappId: number): Promise<Connection> {
  const connection = await findConnection(tx, whatsappId)
  tx.emit(connectionChanged, connection)
  return connection
}

/** Takes the flag from the former default; said before another gets it, so that there is never a second. */
async function dethrone(tx: Tx) {
  const former = await defaultConnection(tx)
  if (former === null) return
  await save(tx, former, { isDefault: false })
  await emitConnectionChanged(tx, former)
}

/** Another network: its keys mean nothing there, and whoever runs the connection has to take it up anew. */
async function forgetNetwork(tx: Tx, whatsappId: number) {
  for (const table of [whatsappKeys, whatsappLeases])
    await tx.sql.delete(table).where(and(eq(table.companyId, tx.companyId), eq(table.whatsappId, whatsappId)))
  await forgetCloud(tx, whatsappId)
}

const save = (tx: Tx, whatsappId: number, columns: Columns) =>
  tx.sql
    .update(whatsapps)
    .set({ ...columns, updatedAt: new Date().toISOString() })
    .where(own(tx, whatsappId))

async function setQueues(tx: Tx, whatsappId: number, queueIds: number[]) {
  await tx.sql
    .delete(whatsappQueues)
    .where(and(eq(whatsappQueues.companyId, tx.companyId), eq(whatsappQueues.whatsappId, whatsappId)))
  const rows = queueIds.map(queueId => ({ companyId: tx.companyId, whatsappId, queueId }))
  if (rows.length > 0) await tx.sql.insert(whatsappQueues).values(rows)
}

const own = (tx: Tx, whatsappId: number) =>
  and(eq(whatsapps.companyId, tx.companyId), eq(whatsapps.id, whatsappId))

const orTaken = <T>(work: Promise<T>) =>
  work.catch((error: unknown) => {
    if (isUniqueViolation(error, 'whatsapps_name')) return refuse('ERR_NAME_EXISTS', { field: 'name' })
    throw error
  })
