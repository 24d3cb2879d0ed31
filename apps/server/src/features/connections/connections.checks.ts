import { greetingMissing } from '@balcao/contract/connections.rules.ts'
import type { Connection, ConnectionInput } from '@balcao/contract/connections.ts'
import { refuse } from '../../platform/errors.ts'
import { type Tx, viewerOf } from '../../platform/scope.ts'
import { instantOf, limitsOf } from '../companies/companies.queries.ts'
import { lockConnections } from './connections.queries.ts'

export type ConnectionChanges = Partial<ConnectionInput>

/** What an input makes of a connection, moments in UTC. A day or a time without a zone is the company's. */
export async function columnsOf(tx: Tx, { queueIds: _rows, cloud: _settings, ...input }: ConnectionChanges) {
  const { importOldMessages, importRecentMessages, greetingMessage, farewellMessage, ...plain } = input
  const { isDefault, disableGroupMessages, lib, name, ...flags } = plain
  return defined({
    name,
    lib,
    isDefault: truth(isDefault),
    disableGroupMessages: truth(disableGroupMessages),
    importOldMessagesGroups: truth(flags.importOldMessagesGroups),
    closedTicketsPostImported: truth(flags.closedTicketsPostImported),
    saasNotificationCenter: truth(flags.saasNotificationCenter),
    greetingMessage: greetingMessage === undefined ? undefined : (greetingMessage ?? ''),
    farewellMessage: farewellMessage === undefined ? undefined : (farewellMessage ?? ''),
    importOldMessages: await utc(tx, importOldMessages),
    importRecentMessages: await utc(tx, importRecentMessages),
  })
}
export type Columns = Awaited<ReturnType<typeof columnsOf>>

const truth = (bit: 0 | 1 | undefined) => (bit === undefined ? undefined : bit === 1)

const utc = async (tx: Tx, moment: string | null | undefined) => (moment ? instantOf(tx, moment) : moment)

type Defined<T> = { [K in keyof T]?: Exclude<T[K], undefined> }
const defined = <T extends object>(fields: T) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Defined<T>

/** A connection as it would stand: refused when its parts do not go together. */
export function refuseUnsound(
  standing: Pick<Connection, 'queueIds' | 'greetingMessage' | 'importOldMessages' | 'importRecentMessages'>,
) {
  if (greetingMissing(standing.queueIds, standing.greetingMessage))
    refuse('ERR_WAPP_GREETING_REQUIRED', { field: 'greetingMessage' })
  const { importOldMessages: old, importRecentMessages: recent } = standing
  if (old && Date.parse(old) > Date.now())
    refuse('ERR_BAD_REQUEST', { field: 'importOldMessages', message: 'Must not be after now' })
  if (old && recent && recent < old)
    refuse('ERR_BAD_REQUEST', {
      field: 'importRecentMessages',
      message: 'Must not be before importOldMessages',
    })
}

/** The simulator is for trying out; the notification centre is the platform's (CONN-022). */
export function refuseForeignConnection(tx: Tx, before: Connection | null, columns: Columns, demo: boolean) {
  if (columns.lib === 'simulator' && before?.lib !== 'simulator' && !demo)
    refuse('ERR_BAD_REQUEST', { field: 'lib', message: 'Only where demo data is on' })
  if (before && columns.lib && columns.lib !== before.lib && before.status !== 'DISCONNECTED')
    refuse('ERR_BAD_REQUEST', { field: 'lib', message: 'Disconnect first' })
  const { saasNotificationCenter: wanted } = columns
  if (wanted !== undefined && wanted !== (before?.saasNotificationCenter ?? false))
    if (viewerOf(tx).master !== 1) refuse('ERR_NO_PERMISSION', { field: 'saasNotificationCenter' })
}

/** Refuses with ERR_NO_COMPANY_PLAN, ERR_NO_LIMIT_WHATSAPP. */
export async function refuseOverLimit(tx: Tx) {
  const limits = (await limitsOf(tx.sql, tx.companyId)) ?? refuse('ERR_NO_COMPANY_PLAN')
  if ((await lockConnections(tx)).length >= limits.connections) refuse('ERR_NO_LIMIT_WHATSAPP')
}
