import type { UserAuthorization } from '@balcao/contract/permissions.ts'
import type { userAuthorizations } from './permissions.table.ts'

export type AuthorizationRow = typeof userAuthorizations.$inferSelect

export function toAuthorization(row: AuthorizationRow): UserAuthorization {
  const { companyId: _company, createdAt: _created, ...authorization } = row
  return authorization
}
