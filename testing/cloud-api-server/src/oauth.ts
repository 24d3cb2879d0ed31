import { z } from 'zod'
import type { Account } from './account.ts'
import type { App } from './app.ts'
import type { Answer } from './call.ts'
import { GraphError } from './graph-error.ts'
import { read } from './reading.ts'
import type { State } from './state.ts'
import type { Token } from './token.ts'

/** A sign-up that ended at Meta: its code becomes a token once. */
export interface SignUp {
  app: App
  accounts: Account[]
  redirectUri: string
  expiresAt: number
}

const MINUTE = 60_000

/** Ends an embedded sign-up as a business does, with access to these accounts. Returns the code for the window. */
export function signUp(app: App, accounts: Account[], redirectUri: string): string {
  const code = app.state.random.token(60)
  const expiresAt = app.state.clock.now() + 10 * MINUTE
  app.state.signUps.set(code, { app, accounts, redirectUri, expiresAt })
  return code
}

const Exchange = z.object({
  client_id: z.string(),
  client_secret: z.string(),
  code: z.string(),
  redirect_uri: z.string().optional(),
})

/** `oauth/access_token`, page "Manually build a login flow": the same address as in the dialog, and each code once. */
export function exchangeCode(state: State, params: Record<string, unknown>): Answer {
  const { client_id: id, client_secret: secret, code, redirect_uri: uri } = read(Exchange, params)
  const known = state.signUps.get(code)
  const app = state.nodes.get(id)
  if (!app || !('secret' in app))
    throw refused(101, 'Error validating application. Cannot get application info due to a system error.')
  if (app.secret !== secret) throw refused(1, 'Error validating client secret.')
  if (!known || known.app !== app) throw refused(100, 'Invalid verification code format.')
  if (known.redirectUri !== (uri ?? ''))
    throw refused(
      100,
      'Error validating verification code. Please make sure your redirect_uri is identical to the one you used in the OAuth dialog request',
      36008,
    )
  state.signUps.delete(code)
  if (known.expiresAt <= state.clock.now()) throw refused(100, 'This authorization code has expired.', 36007)
  const token: Token = app.addToken(known.accounts)
  return { status: 200, body: { access_token: token.value, token_type: 'bearer' } }
}

const refused = (code: number, message: string, subcode?: number) =>
  new GraphError(message, { status: 400, code, ...(subcode !== undefined && { subcode }) })
