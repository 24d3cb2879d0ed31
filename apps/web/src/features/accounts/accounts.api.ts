import { accounts } from '@balcao/contract/accounts.ts'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../platform/call.ts'
import { askAgain } from '../../platform/query.ts'
import { language } from '../../platform/text.ts'

/** Throws ApiError, but not for an unknown address. */
export const askForReset = ({ email }: { email: string }) =>
  call(accounts.forgot, { body: { email, language: language() } })

/** Throws ApiError. */
export const resetPassword = (body: { token: string; password: string; endSecrets: boolean }) =>
  call(accounts.reset, { body })

/** Throws ApiError. */
export const confirmEmail = (token: string) => call(accounts.confirmEmail, { body: { token } })

/** Throws ApiError. */
export const changePassword = (body: { oldPassword: string; password: string; endSecrets: boolean }) =>
  call(accounts.changePassword, { body })

/** Throws ApiError. */
export const changeEmail = ({ email, oldPassword }: { email: string; oldPassword: string }) =>
  call(accounts.changeEmail, { body: { email, oldPassword, language: language() } })

const SESSIONS = ['ownSessions']

export const ownSessions = queryOptions({
  queryKey: SESSIONS,
  queryFn: () => call(accounts.sessions),
  staleTime: 0,
})

/** Throws ApiError. */
export async function endOwnSession(sessionId: string): Promise<void> {
  await call(accounts.endSession, { params: { sessionId } })
  await askAgain({ queryKey: SESSIONS })
}

/** Throws ApiError. */
export async function endOtherSessions(): Promise<void> {
  await call(accounts.endOtherSessions)
  await askAgain({ queryKey: SESSIONS })
}
