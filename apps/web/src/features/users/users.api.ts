import type { Seen } from '@balcao/contract/edits.rules.ts'
import { invitations } from '@balcao/contract/invitations.ts'
import { type User, type UserInput, users } from '@balcao/contract/users.ts'
import { queryOptions, useQueries } from '@tanstack/react-query'
import type { z } from 'zod'
import { call } from '../../platform/call.ts'
import { oneRow, pagedList } from '../../platform/lists.ts'
import { askAgain, patchByPush } from '../../platform/query.ts'
import { visiting } from '../../platform/visit.ts'
import { connectionChoices } from '../connections/connections.choices.ts'
import { groupChoices } from '../permissions/permissions.api.ts'
import { queueChoices } from '../queues/queues.choices.ts'
import type { UserOptions } from './users.form.ts'

/** The own record as it came with the session; fetched again after a gap in the connection. */
export const ownRecord = (user: User) =>
  queryOptions({
    queryKey: ['ownRecord', user.id],
    queryFn: () => call(users.show, { params: { userId: user.id } }),
    initialData: user,
    // the operator is no user of the company that is visited, whose record of visits would name this as a look
    enabled: visiting.now() === null,
  })

/** After a push of it. */
export const keepOwnRecord = (user: User): void => patchByPush<User>(['ownRecord', user.id], () => user)

type Preference = Partial<Pick<User, 'volume' | 'enableGreeting' | 'showAllTickets' | 'signMessage'>>

/** Saves one preference as documented: the whole record with the changed flag. */
export const savePreference = (user: User, changed: Preference): Promise<User> =>
  call(users.change, {
    params: { userId: user.id },
    body: {
      name: user.name,
      email: user.email,
      profile: user.profile,
      queueIds: user.queues.map(queue => queue.id),
      whatsappId: user.whatsappId,
      ...changed,
    },
  })

/** `seen`: the record as it was when it was opened. */
export const saveProfile = (
  user: User,
  changed: Pick<User, 'name' | 'greetingMessage' | 'farewellMessage'>,
  seen: Seen,
) => call(users.change, { params: { userId: user.id }, body: changed, seen })

export const userChoices = queryOptions({ queryKey: ['users', 'choices'], queryFn: () => call(users.all) })

/** Rights, groups and queues a user may be given; null until loaded. */
export function useUserOptions(): UserOptions | null {
  const [groups, queues, connections] = useQueries({
    queries: [groupChoices, queueChoices, connectionChoices],
  })
  if (groups.isPending || queues.isPending || connections.isPending) return null
  return { groups: groups.data ?? [], queues: queues.data ?? [], connections: connections.data ?? [] }
}

const USERS = ['users']

export const userList = pagedList(users.list, 'users')

export const oneUser = oneRow('users', userId => call(users.show, { params: { userId } }))

/**
 * Adds a user, or changes one. The first of a company creates queues, groups and a connection. Throws
 * ApiError.
 */
export async function saveUser(
  userId: number | null,
  { endSecrets, ...body }: z.input<typeof UserInput> & { endSecrets: boolean },
  seen?: Seen,
): Promise<void> {
  await (userId === null
    ? call(users.create, { body })
    : call(users.change, {
        params: { userId },
        body: { ...body, ...(body.password && { endSecrets }) },
        seen,
      }))
  await askAgain({ queryKey: USERS })
}

/** Owned records that are reassigned to a colleague, or stop, with this user. */
export const belongingsOf = (userId: number) =>
  queryOptions({
    queryKey: ['users', 'belongings', userId],
    queryFn: async () => (await call(users.belongings, { params: { userId } })).belongings,
    gcTime: 0,
    staleTime: 0,
  })

/** Throws ApiError. */
export async function removeUser(userId: number, heirId: number | null, evenIfUsed: boolean): Promise<void> {
  await call(users.remove, { params: { userId }, query: { evenIfUsed, ...(heirId !== null && { heirId }) } })
  await askAgain({ queryKey: USERS })
}

/** Pending invitations: users to be. */
export const openInvitations = queryOptions({
  queryKey: ['invitations'],
  queryFn: () => call(invitations.list),
})
