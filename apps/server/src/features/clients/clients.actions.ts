import type { ClientChanges, ClientCompany, ClientInput } from '@balcao/contract/clients.ts'
import { plainDocument } from '@balcao/contract/companies.rules.ts'
import { may, type Viewer } from '@balcao/contract/permissions.rules.ts'
import { hashNewPassword } from '../../platform/access/passwords.ts'
import { databaseDate, databaseTime } from '../../platform/clock.ts'
import { isUniqueViolation, refuse } from '../../platform/errors.ts'
import type { Sql } from '../../platform/postgres/db.ts'
import { type PlatformScope, type Scope, type Scopes, viewerOf } from '../../platform/scope.ts'
import { companyChanged } from '../companies/companies.events.ts'
import { insertCompany } from '../companies/companies.queries.ts'
import { isEnded, pauseEnded, withdrawPastEnd } from '../subscriptions/subscriptions.ends.queries.ts'
import {
  lockSubscription,
  pauseSwitchedOff,
  resumeSwitchedOn,
} from '../subscriptions/subscriptions.queries.ts'
import { addFirstAdmin } from '../users/users.queries.ts'
import { findClient, lockClient, updateClient } from './clients.queries.ts'

/**
 * The scope of a company whose users call: masters reach every company, other users only their own. Refuses with
 * ERR_NO_COMPANY_FOUND.
 */
export async function reachClient(scope: Scope, scopes: Scopes, companyId: number): Promise<Scope> {
  if (!may(viewerOf(scope), 'master') && companyId !== scope.companyId) refuse('ERR_NO_COMPANY_FOUND')
  await scopes.platform().transaction(sql => findClient(sql, companyId))
  return scopes.inCompany(companyId)
}

/** Creates a company with its first admin, and without a plan. Refuses with ERR_EMAIL_EXISTS. */
export async function addClient(
  platform: PlatformScope,
  viewer: Viewer,
  { userName, passwordDefault, ...input }: ClientInput,
): Promise<ClientCompany> {
  const passwordHash = await hashNewPassword(
    platform,
    passwordDefault,
    `user ${viewer.id}`,
    'passwordDefault',
  )
  try {
    return await platform.transaction(async sql => {
      const { email } = input
      const companyId = await insertCompany(sql, { ...input, ...plainOf(input) })
      await addFirstAdmin(sql, { companyId, name: userName, email, passwordHash })
      return findClient(sql, companyId)
    })
  } catch (error) {
    if (isUniqueViolation(error, 'users_email')) return refuse('ERR_EMAIL_EXISTS', { field: 'email' })
    throw error
  }
}

/** Fields that only a master changes. */
const MASTERS = [
  ...(['status', 'numberAttendants', 'numberConections', 'enableReports', 'enableDashboard'] as const),
  ...(['enableCampaigns', 'enableSchedules', 'enableBots', 'enableFlows', 'observation'] as const),
]

/**
 * Changes a company; its users are notified, and where it is switched off they are logged out. Refuses with
 * ERR_NO_COMPANY_FOUND, with ERR_NO_PERMISSION and the field that only a master changes, with ERR_OWN_COMPANY where
 * users would switch off their own company. A company that is switched on after its subscription ended goes on.
 */
export async function changeClient(
  platform: PlatformScope,
  { viewer, timeZone, now = databaseDate() }: { viewer: Viewer; timeZone: string; now?: Date },
  companyId: number,
  input: ClientChanges,
): Promise<ClientCompany> {
  const client = await platform.transaction(async sql => {
    // the order of locks is that of holdSubscription
    if (input.status !== undefined) await lockSubscription(sql, companyId)
    const before = await lockClient(sql, companyId)
    const foreign = MASTERS.find(field => input[field] !== undefined && input[field] !== before[field])
    if (foreign && !may(viewer, 'master')) refuse('ERR_NO_PERMISSION', { field: foreign })
    if (input.status === 0 && companyId === viewer.companyId) refuse('ERR_OWN_COMPANY', { field: 'status' })
    const changes = { ...input, ...plainOf(input), name: input.name ?? before.name }
    await updateClient(sql, companyId, changes)
    if (input.status !== undefined && input.status !== before.status)
      await pauseBilling(sql, input.status, { companyId, zone: before.timeZone ?? timeZone, now })
    return findClient(sql, companyId)
  })
  await notifyUsers(platform, companyId)
  return client
}

/**
 * Switches a company off for good: it is not found any more, and everything of it is deleted (clients.worker.ts). Refuses with
 * ERR_NO_COMPANY_FOUND, and with ERR_OWN_COMPANY the own one.
 */
export async function removeClient(platform: PlatformScope, viewer: Viewer, companyId: number) {
  if (companyId === viewer.companyId) refuse('ERR_OWN_COMPANY')
  await platform.transaction(async sql => {
    await lockClient(sql, companyId)
    await updateClient(sql, companyId, { status: 0, leavingAt: databaseTime() })
  })
  await notifyUsers(platform, companyId)
}

/** Switches a company off whose subscription ended, unless a master withdrew that. The one of a master is never. */
export async function switchOff(
  platform: PlatformScope,
  companyId: number,
  { timeZone, now }: { timeZone: string; now: Date },
): Promise<void> {
  const isOff = await platform.transaction(async sql => {
    await lockSubscription(sql, companyId)
    const before = await lockClient(sql, companyId)
    const place = { companyId, zone: before.timeZone ?? timeZone, now }
    if (before.status === 0 || !(await isEnded(sql, place))) return false
    await updateClient(sql, companyId, { status: 0 })
    await pauseEnded(sql, companyId)
    return true
  })
  if (isOff) await notifyUsers(platform, companyId)
}

/** A company that is off is not billed, from the day of its own clock on which it was switched off. */
async function pauseBilling(sql: Sql, status: 0 | 1, place: Parameters<typeof pauseSwitchedOff>[1]) {
  if (status === 0) return void (await pauseSwitchedOff(sql, place))
  await resumeSwitchedOn(sql, place)
  await withdrawPastEnd(sql, place)
}

const plainOf = ({ documentNumber }: Pick<ClientChanges, 'documentNumber'>) =>
  documentNumber === undefined ? {} : { documentNumber: plainDocument(documentNumber) }

/** Notifies its users: menus follow, and users of an inactive company are logged out at once (else seconds later). */
const notifyUsers = (platform: PlatformScope, companyId: number) =>
  platform.inCompany(companyId).transaction(async tx => {
    tx.emit(companyChanged, {})
    await tx.involve(companyChanged, {})
  })
