import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { auth } from '@balcao/contract/auth.ts'
import { type Channel, channelName, type Route } from '@balcao/contract/kit.ts'
import type { User } from '@balcao/contract/users.ts'
import type { DestinationStream } from 'pino'
import { io, type Socket } from 'socket.io-client'
import type { z } from 'zod'
import type { Platform } from '../src/platform/app.ts'
import { readConfig } from '../src/platform/config.ts'
import { createLog } from '../src/platform/observe/log.ts'
import { type Database, openDatabase } from '../src/platform/postgres/db.ts'
import { type Product, startProduct } from '../src/platform/start.ts'
import { product } from '../src/product.ts'
import { firstDay } from '../src/seed/first-start.ts'
import { databaseLike, freshDatabase } from './database.ts'
import { madeOnce, sharedDatabase } from './run.ts'

export interface TestApp {
  platform: Platform
  url: string
  database: Database
  /** Logs in as one of the demo people. */
  as(email: string): Promise<Person>
  anonymous: Person
  /** Whoever holds this token. */
  holding(token: string, user: User): Person
  close(): Promise<void>
}

export interface Answer<R extends Route> {
  status: number
  /** The reply of the contract when the status is 200. */
  body: z.output<R['reply']> & { error?: string; field?: string; details?: Record<string, unknown> }
  headers: Headers
}

type Given<R extends Route> = {
  params?: z.input<R['params']>
  query?: z.input<R['query']>
  body?: z.input<R['body']>
  /** Sent as form fields and `medias`. */
  files?: { name: string; type: string; bytes: Uint8Array<ArrayBuffer> }[]
  headers?: Record<string, string>
}

/** A user of the API: calls routes of the contract, subscribes to channels. */
export interface Person {
  user: User
  token: string
  call<R extends Route>(route: R, given?: Given<R>): Promise<Answer<R>>
  /** Calls and insists on 200. */
  get<R extends Route>(route: R, given?: Given<R>): Promise<z.output<R['reply']>>
  /** The content at an address of the application, such as a message's mediaUrl. */
  fetch(path: string): Promise<Response>
  /** Everything received on a channel from now on, in order. */
  subscribe<C extends Channel>(channel: C): Promise<z.output<C['payload']>[]>
  socket(): Promise<Socket>
  close(): void
}

/** Makes what one test app sealed readable in another that begins with its rows. */
const SECRET = 'Kq3vX8mZ1tR6yW0pL5sN9bH2cJ7dF4gA'

/**
 * The whole product in this process, with the demo people on a separate database: a copy of one that began, unless it
 * is given or `env` sets how a first start begins.
 */
export async function openTestApp(
  env: Record<string, string> = {},
  given: { product?: Product; database?: Database; logTo?: DestinationStream } = {},
): Promise<TestApp> {
  const own = given.product ?? { ...product, seed: firstDay }
  const database = given.database ?? (await databaseFor(env, own))
  const { running, leave } = await open(database, env, own, given.logTo)
  const people: Person[] = []
  const known = (person: Person) => {
    people.push(person)
    return person
  }
  return {
    platform: running.platform,
    url: running.url!,
    database,
    anonymous: known(person(running.url!, '', null)),
    holding: (token, user) => known(person(running.url!, token, user)),
    async as(email) {
      return known(await enter(running.url!, email))
    },
    async close() {
      for (const one of people) one.close()
      await leave()
      await database.close()
    },
  }
}

/** What of the environment a first start writes down. */
const FIRST = ['DEMO', 'MASTER_EMAIL', 'MASTER_PASSWORD', 'USER_CREATION', 'TZ_DEFAULT', 'JWT_SECRET']

/** Databases as a first start leaves them, made once a run: the demo people alone, or with their year. */
const begun = new Map([
  [firstDay, 'first_day'],
  [product.seed, 'demo_year'],
])

async function databaseFor(env: Record<string, string>, own: Product): Promise<Database> {
  const name = begun.get(own.seed)
  if (!name || FIRST.some(variable => variable in env)) return freshDatabase()
  const template = await madeOnce(name, async () => {
    const { url, name: made } = await sharedDatabase(name)
    const database = openDatabase(url)
    const { leave } = await open(database, {}, { ...product, seed: own.seed })
    await leave()
    await database.close()
    return made
  })
  return databaseLike(template)
}

async function open(
  database: Database,
  env: Record<string, string>,
  own: Product,
  logTo?: DestinationStream,
) {
  const dataDir = mkdtempSync(join(tmpdir(), 'balcao-'))
  const config = readConfig({
    DATA_DIR: dataDir,
    DEMO: '1',
    LOG_LEVEL: 'error',
    PORT: '0',
    HOST: '127.0.0.1',
    JWT_SECRET: SECRET,
    // whoever waits asks often
    REQUESTS_PER_MINUTE: '0',
    ...env,
  })
  const log = createLog(config, logTo)
  const running = await startProduct(config, own, { database, log })
  async function leave() {
    await running.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
  return { running, leave }
}

/** Logs in as one of the demo people, wherever the product runs. */
export async function enter(url: string, email: string): Promise<Person> {
  const { body } = await person(url, '', null).call(auth.login, {
    body: { email, password: 'balcao-demo' },
  })
  if (!body.token) throw new Error(`${email} could not log in: ${JSON.stringify(body)}`)
  return person(url, body.token, body.user)
}

function person(url: string, token: string, user: User | null): Person {
  const known = () => {
    if (!user) throw new Error('whoever is not logged in is no user')
    return user
  }
  let line: Socket | undefined

  async function call<R extends Route>(route: R, given: Given<R> = {}): Promise<Answer<R>> {
    const answer = await fetch(url + pathOf(route, given), {
      method: route.method,
      headers: {
        ...(token && { authorization: `Bearer ${token}` }),
        ...given.headers,
        ...(given.body !== undefined && !given.files && { 'content-type': 'application/json' }),
      },
      ...(given.body !== undefined && { body: given.files ? formOf(given) : JSON.stringify(given.body) }),
    })
    return {
      status: answer.status,
      body: (await answer.json()) as Answer<R>['body'],
      headers: answer.headers,
    }
  }

  async function socket() {
    line ??= io(url, { auth: { token }, transports: ['websocket'], reconnection: false })
    if (!line.connected)
      await new Promise<void>((done, fail) => line!.once('connect', done).once('connect_error', fail))
    return line
  }

  async function subscribe<C extends Channel>(channel: C): Promise<z.output<C['payload']>[]> {
    const heard: z.output<C['payload']>[] = []
    const on = await socket()
    on.on(channelName(channel, known().companyId), payload => heard.push(payload))
    return heard
  }

  return {
    get user() {
      return known()
    },
    token,
    call,
    socket,
    async get(route, given) {
      const { status, body } = await call(route, given)
      if (status !== 200)
        throw new Error(`${route.method} ${route.path} answered ${status} ${JSON.stringify(body)}`)
      return body
    },
    fetch: path => fetch(url + path, { headers: { authorization: `Bearer ${token}` } }),
    subscribe,
    close: () => void line?.disconnect(),
  }
}

function formOf({ body, files = [] }: Given<Route>) {
  const form = new FormData()
  for (const [name, value] of Object.entries(body as object)) form.append(name, String(value))
  for (const { name, type, bytes } of files) form.append('medias', new Blob([bytes], { type }), name)
  return form
}

function pathOf(route: Route, given: Given<Route>) {
  const params = (given.params ?? {}) as Record<string, unknown>
  const path = route.path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(params[name])))
  const query = Object.entries((given.query ?? {}) as Record<string, unknown>)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => [name, typeof value === 'object' ? JSON.stringify(value) : String(value)])
  return query.length > 0 ? `${path}?${new URLSearchParams(query as [string, string][])}` : path
}

/** Waits until something holds, at most half a minute (a busy machine is slow): pushes arrive when they arrive. */
export async function until<T>(
  read: () => T | Promise<T>,
  ms = 25_000,
): Promise<Exclude<T, false | null | undefined>> {
  const from = Date.now()
  for (const end = from + ms; ; ) {
    const value = await read()
    if (value) return value as Exclude<T, false | null | undefined>
    if (Date.now() > end) throw new Error(`did not happen within ${ms} ms: ${read}`)
    // longer waits poll less often: polling costs the product and the database as much as working
    await new Promise(done => setTimeout(done, Math.min(100, 10 + (Date.now() - from) / 10)))
  }
}
