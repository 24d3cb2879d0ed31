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
import type { Token } from './token.ts'
import { type WebhookOptions, Webhooks } from './webhooks.ts'
import { Work } from './work.ts'
import type { GraphCall, World } from './world.ts'

export interface ServerOptions {
  /** 0, any free port, unless said. */
  port?: number
  /** The same seed gives the same ids in the same order. */
  seed?: number
  /** A moment to stand still at; the time runs unless said. */
  standsAt?: Date
  limits?: LimitOptions
  webhooks?: WebhookOptions
  app?: AppOptions
  account?: AccountOptions
  /** Of the first number. */
  number?: string
}

export interface CloudApiServer {
  /** Graph's address: what the product takes for https://graph.facebook.com. */
  url: string
  /** An app, an account, a number and a token to begin with. */
  app: App
  account: Account
  number: PhoneNumber
  token: Token
  /** Another app, as another company has it. */
  addApp(options?: AppOptions): App
  /** A person with WhatsApp. Throws when the number is taken. */
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
  world: World
  close(): Promise<void>
}

/** Starts a double of Meta's Graph API for WhatsApp on 127.0.0.1. */
export async function startCloudApiServer(options: ServerOptions = {}): Promise<CloudApiServer> {
  const world = makeWorld(options)
  const listener = makeGraph(world)
  await new Promise<void>((resolve, reject) => {
    listener.once('error', reject)
    listener.listen(options.port ?? 0, '127.0.0.1', resolve)
  })
  world.url = `http://127.0.0.1:${(listener.address() as AddressInfo).port}`
  const app = new App(world, options.app)
  const account = app.addAccount(options.account)
  const number = account.addNumber(options.number ?? '551130000001')
  const { url, clock, faults, webhooks, calls, sent, unknown, errors } = world
  return {
    ...{ url, clock, faults, webhooks, calls, sent, unknown, errors, world },
    ...{ app, account, number, token: app.addToken([account]) },
    addApp: about => new App(world, about),
    addCustomer(digits, about) {
      if (find(world, digits)) throw new Error(`the number ${digits} is taken`)
      const customer = new Customer(world, digits, about)
      world.customers.push(customer)
      return customer
    },
    customer(digits) {
      const customer = find(world, digits)
      if (!customer) throw new Error(`there is no customer with the number ${digits}`)
      return customer
    },
    doubled: () => doubled(sent),
    settled: () => world.work.done(),
    async close() {
      clock.close()
      listener.closeAllConnections()
      await new Promise(resolve => listener.close(resolve))
    },
  }
}

const find = (world: World, digits: string) => world.customers.find(({ number }) => number === digits)

function doubled(sent: Sent[]): string[] {
  const counts = Map.groupBy(sent, ({ callbackData }) => callbackData)
  return [...counts].flatMap(([data, messages]) => (data !== undefined && messages.length > 1 ? [data] : []))
}

function makeWorld({ seed = 1, standsAt, limits, webhooks }: ServerOptions): World {
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
    customers: [],
    sent: [],
    calls: [],
    unknown: [],
  }
}
