import { secretUses } from '@balcao/contract/secretUses.ts'
import { serve } from '../../platform/http/routes.ts'
import { findUser } from '../users/users.queries.ts'
import { writeSecretUses } from './secretUses.actions.ts'
import { secretUsesOf } from './secretUses.queries.ts'

export const routes = [
  serve(secretUses.list, async (scope, { params }, { platform }) => {
    await writeSecretUses(platform)
    return scope.list(async tx => {
      await findUser(tx.sql, tx.companyId, params.userId)
      return { uses: await secretUsesOf(tx, params.userId) }
    })
  }),
]
