import type { Seen } from '@balcao/contract/edits.rules.ts'
import {
  permissions,
  type UserAuthorization,
  type UserAuthorizationInput,
} from '@balcao/contract/permissions.ts'
import { queryOptions } from '@tanstack/react-query'
import type { z } from 'zod'
import { call } from '../../platform/call.ts'
import { oneRow, pagedList } from '../../platform/lists.ts'
import { askAgain } from '../../platform/query.ts'
import { GROUPS } from './permissions.live.ts'

export const groupList = pagedList(permissions.list, 'userAuthorizations')

/** A group as it is now, with the number of its users. */
export const oneGroup = oneRow('userAuthorizations', authorizationId =>
  call(permissions.show, { params: { authorizationId } }),
)

/** Every group, for pickers. */
export const groupChoices = queryOptions({
  queryKey: [...GROUPS, 'choices'],
  queryFn: async ({ signal }) => {
    const groups: UserAuthorization[] = []
    for (let pageNumber = 1, hasMore = true; hasMore; pageNumber++) {
      const page = await call(permissions.list, { query: { pageNumber }, signal })
      groups.push(...page.userAuthorizations)
      hasMore = page.hasMore
    }
    return groups
  },
})

/** Adds one, or changes one. Throws ApiError. */
export async function saveGroup(
  authorizationId: number | null,
  body: z.input<typeof UserAuthorizationInput>,
  seen?: Seen,
): Promise<void> {
  await (authorizationId === null
    ? call(permissions.create, { body })
    : call(permissions.change, { params: { authorizationId }, body, seen }))
  await askAgain({ queryKey: GROUPS })
}

/** Throws ApiError. */
export async function removeGroup(authorizationId: number): Promise<void> {
  await call(permissions.remove, { params: { authorizationId } })
  await askAgain({ queryKey: GROUPS })
}
