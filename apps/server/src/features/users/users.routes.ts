import { users } from '@balcao/contract/users.ts'
import { serve } from '../../platform/http/routes.ts'
import { viewerOf } from '../../platform/scope.ts'
import { addUser, changeUser, removeUser } from './users.actions.ts'
import { ownedBy } from './users.owned.queries.ts'
import { allUsers, findUser, listUsers } from './users.queries.ts'
import { readBy } from './users.rules.ts'

export const routes = [
  serve(users.list, (scope, { query }) => listUsers(scope, query)),
  serve(users.all, scope => allUsers(scope)),
  serve(users.show, async (scope, { params }) =>
    readBy(viewerOf(scope), await scope.read(tx => findUser(tx.sql, tx.companyId, params.userId))),
  ),
  serve(users.create, async (scope, { body }) => readBy(viewerOf(scope), await addUser(scope, body))),
  serve(users.change, async (scope, { params, body }) =>
    readBy(viewerOf(scope), await changeUser(scope, params.userId, body)),
  ),
  serve(users.remove, async (scope, { params, query }) => {
    await removeUser(scope, params.userId, query.heirId ?? null, query.evenIfUsed ?? false)
    return {}
  }),
  serve(users.belongings, async (scope, { params }) => ({
    belongings: await ownedBy(scope, params.userId),
  })),
]
