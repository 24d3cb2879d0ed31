import { may } from '@balcao/contract/permissions.rules.ts'
import { refuse } from '../../platform/errors.ts'
import type { Tx } from '../../platform/scope.ts'
import { holdUser } from '../users/users.queries.ts'
import { ownersChanged } from './contacts.events.ts'
import { changeOwner, ownersAmong } from './contacts.owners.queries.ts'

/**
 * The owner that a contact gets. Refuses with ERR_NO_USER_FOUND, and with ERR_NO_PERMISSION where the viewer sees only own
 * customers and would give one away.
 */
export async function ownerWanted(tx: Tx, wanted: number | null | undefined, known: number | null) {
  if (wanted === undefined || wanted === known) return known
  if (tx.viewer && !may(tx.viewer, 'contacts:all')) refuse('ERR_NO_PERMISSION', { field: 'ownerId' })
  if (wanted !== null && !(await holdUser(tx, wanted))) refuse('ERR_NO_USER_FOUND', { field: 'ownerId' })
  return wanted
}

/** Who sees only own customers owns whom he adds. */
export const firstOwner = ({ viewer }: Tx) => (viewer && !may(viewer, 'contacts:all') ? viewer.id : null)

/** Those of these users who see only own customers see others than before. */
export function emitOwners(tx: Tx, ownerIds: (number | null | undefined)[]) {
  const userIds = [...new Set(ownerIds)].filter(id => id !== null && id !== undefined)
  if (userIds.length > 0) tx.emit(ownersChanged, { userIds })
}

/** The customers of a deleted user have the heir as owner, or none. */
export async function bequeathCustomers(tx: Tx, userId: number, heirId: number | null): Promise<void> {
  const isAny = await changeOwner(tx, userId, heirId)
  if (isAny) emitOwners(tx, [heirId])
}

/** The tickets of one contact are those of another from now on. */
export const emitOwnersOf = async (tx: Tx, contactIds: number[]): Promise<void> =>
  emitOwners(tx, await ownersAmong(tx, contactIds))
