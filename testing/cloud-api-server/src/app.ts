import { Account, type AccountOptions } from './account.ts'
import { type Callback, complaintAbout } from './callback.ts'
import { type Permission, Token } from './token.ts'
import type { World } from './world.ts'

export interface AppOptions {
  name?: string
  /** Of its webhooks: from 24.0 statuses tell no conversation, but for free entry points. */
  version?: number
}

/** An app in Meta's dashboard: a secret that signs webhooks, and a place they go to. */
export class App {
  world: World
  id: string
  name: string
  secret: string
  version: number
  callback: Callback | undefined
  /** The webhook fields it wants; undefined: every one. */
  fields: Set<string> | undefined

  constructor(world: World, { name = 'Balcão', version = 25 }: AppOptions = {}) {
    this.world = world
    this.id = world.random.digits(16)
    this.name = name
    this.secret = world.random.hex(32).toLowerCase()
    this.version = version
    world.nodes.set(this.id, this)
  }

  /** What an admin does in the dashboard. Throws Meta's complaint when the receiver fails the handshake. */
  async subscribe(url: string, verifyToken: string, fields?: string[]): Promise<void> {
    const complaint = await complaintAbout(this.world, { url, verifyToken })
    if (complaint) throw new Error(complaint)
    this.callback = { url, verifyToken }
    this.fields = fields && new Set(fields)
  }

  /** A new WhatsApp Business Account whose news this app hears. */
  addAccount(options: AccountOptions = {}): Account {
    const account = new Account(this.world, options)
    account.subscribers.set(this, undefined)
    return account
  }

  /** A system user's token for these accounts; it may do all that WhatsApp has, for ever, unless said. */
  addToken(accounts: Account[], { permissions, expiresAt }: TokenOptions = {}): Token {
    const value = `EAA${this.world.random.token(40)}`
    const all: Permission[] = ['whatsapp_business_messaging', 'whatsapp_business_management']
    const token = new Token(value, this, accounts, permissions ?? all, expiresAt?.getTime() ?? null)
    this.world.tokens.set(value, token)
    return token
  }
}

export interface TokenOptions {
  permissions?: Permission[]
  expiresAt?: Date
}
