import type { UserAuthorization, UserAuthorizationInput } from '@balcao/contract/permissions.ts'
import type { z } from 'zod'
import { isUniqueViolation, refuse } from '../../platform/errors.ts'
import type { Scope, Tx } from '../../platform/scope.ts'
import { and, eq } from '../../platform/sql.ts'
import {
  administrationWithdrawn,
  authorizationChanged,
  authorizationLeaving,
  authorizationRemoved,
} from './permissions.events.ts'
import { findAuthorization, lockAdministration } from './permissions.queries.ts'
import { userAuthorizations } from './permissions.table.ts'

type Input = z.output<typeof UserAuthorizationInput>

/** Adds a permission group; the table knows the documented defaults. Refuses with ERR_NAME_EXISTS. */
export const addAuthorization = (scope: Scope, input: Input): Promise<UserAuthorization> =>
  orTaken(
    scope.transaction(async tx => {
      const [row] = await tx.sql
        .insert(userAuthorizations)
        .values({ ...input, companyId: tx.companyId })
        .returning({ id: userAuthorizations.id })
      return emitChanged(tx, row!.id, true)
    }),
  )

/** Changes a permission group. Refuses with ERR_NO_AUTHORIZATION_FOUND, ERR_NAME_EXISTS, ERR_LAST_ADMIN. */
export const changeAuthorization = (
  scope: Scope,
  authorizationId: number,
  input: Input,
): Promise<UserAuthorization> =>
  orTaken(
    scope.transaction(async tx => {
      const taking = input.enableAdministration === 0
      if (taking) await lockAdministration(tx)
      await findAuthorization(tx, authorizationId)
      await tx.sql.update(userAuthorizations).set(input).where(own(tx, authorizationId))
      if (taking) await tx.involve(administrationWithdrawn, { userAuthorizationId: authorizationId })
      return emitChanged(tx, authorizationId, false)
    }),
  )

/** Removes a permission group; its users fall back to the defaults (OP-70). Refuses with ERR_NO_AUTHORIZATION_FOUND. */
export const removeAuthorization = (scope: Scope, authorizationId: number) =>
  scope.transaction(async tx => {
    await lock(tx, authorizationId)
    await tx.involve(authorizationLeaving, { userAuthorizationId: authorizationId })
    await tx.sql.delete(userAuthorizations).where(own(tx, authorizationId))
    tx.emit(authorizationRemoved, { userAuthorizationId: authorizationId })
  })

const own = (tx: Tx, authorizationId: number) =>
  and(eq(userAuthorizations.companyId, tx.companyId), eq(userAuthorizations.id, authorizationId))

/** Locked first: nobody can be put into the group while its users are taken out. */
async function lock(tx: Tx, authorizationId: number) {
  const [row] = await tx.sql
    .select({ id: userAuthorizations.id })
    .from(userAuthorizations)
    .where(own(tx, authorizationId))
    .for('update')
  return row ?? refuse('ERR_NO_AUTHORIZATION_FOUND')
}

async function emitChanged(tx: Tx, authorizationId: number, created: boolean) {
  const userAuthorization = await findAuthorization(tx, authorizationId)
  tx.emit(authorizationChanged, { userAuthorization, created })
  await tx.involve(authorizationChanged, { userAuthorization, created })
  return userAuthorization
}

const orTaken = <T>(work: Promise<T>) =>
  work.catch((error: unknown) => {
    if (isUniqueViolation(error, 'user_authorizations_name'))
      return refuse('ERR_NAME_EXISTS', { field: 'name' })
    throw error
  })
