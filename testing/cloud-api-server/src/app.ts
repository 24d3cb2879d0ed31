import { Account, type AccountOptions } from './account.ts'
import { type Callback, complaintAbout } from './callback.ts'
import { signUp } from './oauth.ts'
import type { State } from './state.ts'
import { type Permission, Token } from './token.ts'

export interface AppOptions {
  name?: string
  /** Version of its webhooks: from 24.0 statuses carry no conversation, except for free entry points. */
  version?: number
}

/** An app in Meta's dashboard: a secret that signs webhooks, and a place they go to. */
export class App {
  state: State
  id: string
  name: string
  secret: string
  version: number
  callback: Callback | undefined
  /** The webhook fields it wants; undefined: every one. */
  fields: Set<string> | undefined

  constructor(state: State, { name = 'Balcão', version = 25 }: AppOptions = {}) {
    this.state = state
    this.id = state.random.digits(16)
    this.name = name
    this.secret = state.random.hex(32).toLowerCase()
    this.version = version
    state.nodes.set(this.id, this)
    // the app's own token, page "Access tokens": it asks about other tokens
    const own = `${this.id}|${this.secret}`
    state.tokens.set(own, new Token(own, this, [], [], null))
  }

  /** What an admin does in the dashboard. Throws Meta's complaint when the receiver fails the handshake. */
  async subscribe(url: string, verifyToken: string, fields?: string[]): Promise<void> {
    const complaint = await complaintAbout(this.state, { url, verifyToken })
    if (complaint) throw new Error(complaint)
    this.callback = { url, verifyToken }
    this.fields = fields && new Set(fields)
  }

  /** A business ends the embedded sign-up with these accounts. Returns the code that comes to `redirectUri`. */
  signUp(accounts: Account[], redirectUri: string): string {
    return signUp(this, accounts, redirectUri)
  }

  /** A new WhatsApp Business Account that this app subscribes to. */
  addAccount(options: AccountOptions = {}): Account {
    const account = new Account(this.state, options)
    account.subscribers.set(this, undefined)
    return account
  }

  /** A system user's token for these accounts; by default with all WhatsApp permissions and no expiry. */
  addToken(accounts: Account[], { permissions, expiresAt }: TokenOptions = {}): Token {
    const value = `EAA${this.state.random.token(40)}`
    const all: Permission[] = ['whatsapp_business_messaging', 'whatsapp_business_management']
    const token = new Token(value, this, accounts, permissions ?? all, expiresAt?.getTime() ?? null)
    this.state.tokens.set(value, token)
    return token
  }
}

export interface TokenOptions {
  permissions?: Permission[]
  expiresAt?: Date
}
