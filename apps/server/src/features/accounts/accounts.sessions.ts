import { refuse } from '../../platform/errors.ts'
import { event } from '../../platform/events.ts'
import { type Scope, viewerOf } from '../../platform/scope.ts'
import { and, eq, ne } from '../../platform/sql.ts'
import { sessions } from '../auth/auth.table.ts'

/** Somebody ended sessions of his own: their screens go. */
export const sessionsEnded = event<{ userId: number }>('account.sessionsEnded')

/** Ends one of the own sessions. Refuses with ERR_NOT_FOUND. */
export const endOwnSession = (scope: Scope, sessionId: string) => end(scope, eq(sessions.id, sessionId), true)

/** Ends every own session but this. */
export const endOtherSessions = (scope: Scope, kept: string) => end(scope, ne(sessions.id, kept), false)

const end = (scope: Scope, which: ReturnType<typeof eq>, mustBe: boolean) =>
  scope.transaction(async tx => {
    const { id: userId } = viewerOf(scope)
    const ended = await tx.sql
      .delete(sessions)
      .where(and(eq(sessions.companyId, tx.companyId), eq(sessions.userId, userId), which))
      .returning({ id: sessions.id })
    if (mustBe && ended.length === 0) refuse('ERR_NOT_FOUND')
    if (ended.length > 0) tx.emit(sessionsEnded, { userId })
  })
