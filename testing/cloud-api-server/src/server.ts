import type { AddressInfo } from 'node:net'
import type { Account, AccountOptions } from './account.ts'
import { App, type AppOptions } from './app.ts'
import { Clock } from './clock.ts'
import { Customer, type CustomerOptions } from './customer.ts'
import { Faults } from './faults.ts'
import { makeGraph } from './graph.ts'
import { type LimitOptions, Limits } from './limits.ts'
import type { PhoneNumber } from './phone-number.ts'
import { Random } from './random.ts'
import type { Sent } from './sent.ts'
import type { GraphCall, State } from './state.ts'
import type { Token } from './token.ts'
import { type WebhookOptions, Webhooks } from './webhooks.ts'
import { Work } from './work.ts'

export interface ServerOptions {
  /** Default 0: any free port. */
  port?: number
  /** The same seed gives the same ids in the same order. */
  seed?: number
  /** Fixes the clock at a moment; by default it runs. */
  standsAt?: Date
  limits?: LimitOptions
  webhooks?: WebhookOptions
  app?: AppOptions
  account?: AccountOptions
  /** Of the first number. */
  number?: string
}

export interface CloudApiServer {
  /** Graph's address: replaces https://graph.facebook.com. */
  url: string
  /** An app, an account, a number and a token to begin with. */
  app: App
  account: Account
  number: PhoneNumber
  token: Token
  /** Another app, as another company has it. */
  addApp(options?: AppOptions): App
  /** A person with WhatsApp. Throws when the number exists. */
  addCustomer(number: string, options?: CustomerOptions): Customer
  /** The person with this number. Throws when there is none. */
  customer(number: string): Customer
  clock: Clock
  faults: Faults
  webhooks: Webhooks
  /** Every call of Graph, every message it accepted. */
  calls: GraphCall[]
  sent: Sent[]
  /** Callback data (`biz_opaque_callback_data`) under which more than one message was accepted. */
  doubled(): string[]
  /** What Meta may know and this server does not, and failures inside it: every test asserts that both are empty. */
  unknown: string[]
  errors: Error[]
  /** Resolves when no webhook is under way; those that wait to be tried again do not count. */
  settled(): Promise<void>
  state: State
  close(): Promise<void>
}

/** Starts a double of Meta's Graph API for WhatsApp on 127.0.0.1. */
export async function startCloudApiServer(options: ServerOptions = {}): Promise<CloudApiServer> {
  const state = makeState(options)
  const listener = makeGraph(state)
  await new Promise<void>((resolve, reject) => {
    listener.once('error', reject)
    listener.listen(options.port ?? 0, '127.0.0.1', resolve)
  })
  state.url = `http://127.0.0.1:${(listener.address() as AddressInfo).port}`
  const app = new App(state, options.app)
  const account = app.addAccount(options.account)
  const number = account.addNumber(options.number ?? '551130000001')
  const { url, clock, faults, webhooks, calls, sent, unknown, errors } = state
  return {
    ...{ url, clock, faults, webhooks, calls, sent, unknown, errors, state },
    ...{ app, account, number, token: app.addToken([account]) },
    addApp: about => new App(state, about),
    addCustomer(digits, about) {
      if (find(state, digits)) throw new Error(`the number ${digits} is taken`)
      const customer = new Customer(state, digits, about)
      state.customers.push(customer)
      return customer
    },
    customer(digits) {
      const customer = find(state, digits)
      if (!customer) throw new Error(`there is no customer with the number ${digits}`)
      return customer
    },
    doubled: () => doubled(sent),
    settled: () => state.work.done(),
    async close() {
      clock.close()
      listener.closeAllConnections()
      await new Promise(resolve => listener.close(resolve))
    },
  }
}

const find = (state: State, digits: string) => state.customers.find(({ number }) => number === digits)

function doubled(sent: Sent[]): string[] {
  const counts = Map.groupBy(sent, ({ callbackData }) => callbackData)
  return [...counts].flatMap(([data, messages]) => (data !== undefined && messages.length > 1 ? [data] : []))
}

function makeState({ seed = 1, standsAt, limits, webhooks }: ServerOptions): State {
  const errors: Error[] = []
  const clock = new Clock(error => errors.push(error), standsAt)
  const random = new Random(seed)
  const faults = new Faults()
  const work = new Work()
  return {
    ...{ url: '', clock, random, faults, work, errors },
    webhooks: new Webhooks({ clock, random, faults, work }, webhooks),
    limits: new Limits(clock, limits),
    nodes: new Map(),
    tokens: new Map(),
    signUps: new Map(),
    customers: [],
    sent: [],
    calls: [],
    unknown: [],
  }
}
