import { z } from 'zod'
import { LEAST_PASSWORD, MOST_PASSWORD } from './accounts.rules.ts'
import { email, flag, instant, localeTag, route, text } from './kit.ts'

/** A new password of at least so many characters. */
export const newPasswordOf = (least: number) =>
  z.string({ error: 'Required' }).min(1, 'Required').min(least, 'Too Short!').max(MOST_PASSWORD, 'Too Long!')

export const newPassword = newPasswordOf(LEAST_PASSWORD)

/** What a link of a letter carries behind its `#`, which no server writes into its log. */
export const linkToken = z.string({ error: 'Required' }).min(1, 'Required').max(200, 'Too Long!')

const knownPassword = z.string({ error: 'Required' }).min(1, 'Required').max(200, 'Too Long!')

export const ForgotInput = z.object({ email, language: localeTag.optional() })
/** Whether the user's API tokens and ids of campaign setups end with the old password; by default they do. */
export const endSecrets = flag.optional()

export const ResetInput = z.object({ token: linkToken, password: newPassword, endSecrets })
export const PasswordInput = z.object({ oldPassword: knownPassword, password: newPassword, endSecrets })
export const EmailInput = z.object({
  email,
  oldPassword: knownPassword,
  language: localeTag.optional(),
})

/** One session of the user on a device. */
export const OwnSession = z.object({
  id: z.uuid(),
  userAgent: z.string(),
  ip: z.string(),
  createdAt: instant,
  lastSeenAt: instant,
  /** The session of this request. */
  isCurrent: z.boolean(),
})
export type OwnSession = z.infer<typeof OwnSession>

/** Hours that a link to a new password, or to a new address, is valid. */
export const LINK_HOURS = 1
/** Not awaited by a request: valid for three days. */
export const FIRST_LINK_HOURS = 72

/** What each user does with the own account. */
export const accounts = {
  forgot: route('POST', '/auth/forgot', {
    needs: 'nobody',
    summary:
      'Sends a link for a new password to this address if somebody has it. Answers the same, in the same time, if not.',
    body: ForgotInput,
    limit: { counts: 'calls', caller: 20, account: 3, all: 120 },
  }),
  reset: route('POST', '/auth/reset', {
    needs: 'nobody',
    summary:
      'Sets a new password by the link of a letter, once, and ends every session of its user; unless `endSecrets` is false also API tokens and ids of campaign setups.',
    body: ResetInput,
    reply: z.object({ email: z.string() }),
    limit: { counts: 'failures', caller: 30, all: 300 },
  }),
  changePassword: route('PUT', '/auth/password', {
    needs: 'session',
    summary:
      'Changes the own password by the old one, and ends the other sessions; unless `endSecrets` is false also API tokens and ids of campaign setups.',
    body: PasswordInput,
    limit: { counts: 'failures', caller: 10 },
  }),
  changeEmail: route('POST', '/auth/email', {
    needs: 'session',
    summary:
      'Sends a link to a new address of one’s own, which becomes it when it is confirmed there; at once where no mail is set up.',
    body: EmailInput,
    reply: z.object({ isChanged: z.boolean() }),
    limit: { counts: 'calls', caller: 10 },
  }),
  confirmEmail: route('POST', '/auth/email/confirm', {
    needs: 'nobody',
    summary: 'Takes the new address by the link that was sent there, once, and tells the old one.',
    body: z.object({ token: linkToken }),
    reply: z.object({ email: z.string() }),
    limit: { counts: 'failures', caller: 30, all: 300 },
  }),
  sessions: route('GET', '/auth/sessions', {
    needs: 'session',
    summary: 'Where one is logged in, the latest first.',
    reply: z.array(OwnSession),
  }),
  endSession: route('DELETE', '/auth/sessions/:sessionId', {
    needs: 'session',
    summary: 'Ends one of the own sessions.',
    params: z.object({ sessionId: z.uuid() }),
  }),
  endOtherSessions: route('DELETE', '/auth/sessions', {
    needs: 'session',
    summary: 'Ends every own session but the one that asks.',
  }),
}

/** The name of a user, wherever one gives the own. */
export const personName = text(2, 50)
