import { z } from 'zod'
import { newPassword } from './accounts.ts'
import { email, route, text } from './kit.ts'
import { User } from './users.ts'

export const Session = z.object({ token: z.string(), user: User })
export type Session = z.infer<typeof Session>

export const LoginInput = z.object({
  email: z.string({ error: 'Required' }).trim().min(1, 'Required').max(200, 'Too Long!'),
  password: z.string({ error: 'Required' }).min(1, 'Required').max(200, 'Too Long!'),
})

export const SignupInput = z.object({
  name: text(2, 50),
  /** The company's name; defaults to the name of its first user. */
  companyName: text(2, 50).optional(),
  email,
  password: newPassword,
})

export const auth = {
  login: route('POST', '/auth/login', {
    needs: 'nobody',
    summary:
      'Opens a session. Answers a short-lived token and sets the refresh cookie. An account is tried ten times from one network before each try waits longer; where it logged in before is counted by itself.',
    body: LoginInput,
    reply: Session,
    limit: { counts: 'failures', caller: 60, all: 600 },
  }),
  refresh: route('POST', '/auth/refresh_token', {
    needs: 'nobody',
    summary: 'Trades the refresh cookie for a new token and a new cookie; a reused cookie ends the session.',
    reply: Session,
    limit: { counts: 'failures', caller: 120, all: 1_200 },
  }),
  logout: route('DELETE', '/auth/logout', {
    needs: 'session',
    summary: 'Ends the session and clears the cookie.',
  }),
  signup: route('POST', '/auth/signup', {
    needs: 'nobody',
    summary: 'Makes a company on the standard plan with this account as its admin (OP-42).',
    body: SignupInput,
    reply: z.object({ id: z.int(), name: z.string(), email: z.string() }),
    limit: { counts: 'calls', caller: 10, all: 60 },
  }),
}
