import type { UserAuthorization, UserAuthorizationInput } from '@balcao/contract/permissions.ts'
import type { z } from 'zod'
import { isUniqueViolation, refuse } from '../../platform/errors.ts'
import type { Scope, Tx } from '../../platform/scope.ts'
import {
  administrationWithdrawn,
  authorizationChanged,
  authorizationLeaving,
  authorizationRemoved,
} from './permissions.events.ts'
import {
  deleteAuthorization,
  findAuthorization,
  insertAuthorization,
  lockAdministration,
  lockAuthorization,
  updateAuthorization,
} from './permissions.queries.ts'

type Input = z.output<typeof UserAuthorizationInput>

/** Adds a permission group; the documented defaults are those of the table. Refuses with ERR_NAME_EXISTS. */
export const addAuthorization = (scope: Scope, input: Input): Promise<UserAuthorization> =>
  orNameExists(
    scope.transaction(async tx => emitChanged(tx, await insertAuthorization(tx, input), { created: true })),
  )

/** Changes a permission group. Refuses with ERR_NO_AUTHORIZATION_FOUND, ERR_NAME_EXISTS, ERR_LAST_ADMIN. */
export const changeAuthorization = (
  scope: Scope,
  authorizationId: number,
  input: Input,
): Promise<UserAuthorization> =>
  orNameExists(
    scope.transaction(async tx => {
      const withdraws = input.enableAdministration === 0
      if (withdraws) await lockAdministration(tx)
      await findAuthorization(tx, authorizationId)
      await updateAuthorization(tx, authorizationId, input)
      if (withdraws) await tx.involve(administrationWithdrawn, { userAuthorizationId: authorizationId })
      return emitChanged(tx, authorizationId, { created: false })
    }),
  )

/** Deletes a permission group; its users have the defaults (OP-70). Refuses with ERR_NO_AUTHORIZATION_FOUND. */
export const removeAuthorization = (scope: Scope, authorizationId: number) =>
  scope.transaction(async tx => {
    await lockAuthorization(tx, authorizationId)
    await tx.involve(authorizationLeaving, { userAuthorizationId: authorizationId })
    await deleteAuthorization(tx, authorizationId)
    tx.emit(authorizationRemoved, { userAuthorizationId: authorizationId })
  })

async function emitChanged(tx: Tx, authorizationId: number, { created }: { created: boolean }) {
  const userAuthorization = await findAuthorization(tx, authorizationId)
  tx.emit(authorizationChanged, { userAuthorization, created })
  await tx.involve(authorizationChanged, { userAuthorization, created })
  return userAuthorization
}

const orNameExists = <T>(work: Promise<T>) =>
  work.catch((error: unknown) => {
    if (isUniqueViolation(error, 'user_authorizations_name'))
      return refuse('ERR_NAME_EXISTS', { field: 'name' })
    throw error
  })
