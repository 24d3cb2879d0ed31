import { users } from '@balcao/contract/users.ts'
import { serve } from '../../platform/http/routes.ts'
import { addUser, changeUser, removeUser } from './users.actions.ts'
import { ownedBy } from './users.owned.queries.ts'
import { allUsers, findUser, listUsers } from './users.queries.ts'

export const routes = [
  serve(users.list, (scope, { query }) => listUsers(scope, query)),
  serve(users.all, scope => allUsers(scope)),
  serve(users.show, (scope, { params }) => scope.read(tx => findUser(tx.sql, tx.companyId, params.userId))),
  serve(users.create, (scope, { body }) => addUser(scope, body)),
  serve(users.change, (scope, { params, body }) => changeUser(scope, params.userId, body)),
  serve(users.remove, async (scope, { params, query }) => {
    await removeUser(scope, params.userId, query.heirId ?? null, query.evenIfUsed ?? false)
    return {}
  }),
  serve(users.belongings, async (scope, { params }) => ({
    belongings: await ownedBy(scope, params.userId),
  })),
]
