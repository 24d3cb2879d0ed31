import type { Driver } from '../driver.ts'
import { CONNECTIONS_TOPIC } from '../features/connections/connections.events.ts'
import {
  claim,
  depart,
  meet,
  RENEW_MS,
  release,
  renew,
  voidAll,
} from '../features/connections/connections.leases.queries.ts'
import { type DesiredState, desiredStates } from '../features/connections/connections.session.queries.ts'
import { connectionsWithWork } from '../features/messages/outbox/waiting.queries.ts'
import type { Platform, Role } from '../platform/app.ts'
import { everyone, publishGap, visitors } from '../platform/live/live.ts'
import { openInTurn } from '../platform/work/in-turn.ts'
import { repeat } from '../platform/work/repeat.ts'
import { createBaileysDriver } from './baileys/index.ts'
import { createCloudDriver } from './cloud/index.ts'
import type { ChannelConnection } from './connection.ts'
import { openConnection } from './open.ts'
import { SOON_MS } from './outbox.ts'
import { isAbove, shareOf } from './share.ts'
import { createSimulatorDriver } from './simulator/index.ts'

/** Polling of desired states and of what is free; a signal makes it look at once. */
const LOOK_MS = 1_000
/** Polling of waiting work of its connections, which also get signals. */
const WORK_MS = 2_000
/** A claim may wait for a frozen owner, which holds up neither the others nor other companies. */
const CLAIMS = { all: 8, ofOne: 4 }
/** What is free for so long is claimed by whoever sees it, whoever's turn it is. */
const OVERDUE_MS = 5_000
/** After such a claim nothing is given back for a while: whoever has fewer does not claim. */
const KEPT_MS = 60_000
/** Connections that are given back between two looks at the other processes. */
const GIVEN_AT_ONCE = 3

/** Runs the connections of all companies: whoever holds the lease of a connection opens its session. */
export const channels: Role = {
  name: 'channels',
  async start(platform) {
    if (platform.isAlone) await voidAll(platform.scopes.platform())
    const { log, signals } = platform
    const held = new Channels(platform)
    await held.keepAlive().catch(error => log.warn({ err: error }, 'other processes are looked for again'))
    const polling = repeat(WORK_MS, held.wake, log)
    const looking = repeat(LOOK_MS, held.look, log)
    const renewing = repeat(RENEW_MS, held.keepAlive, log)
    const unsubscribe = signals.listen(CONNECTIONS_TOPIC, looking.now)
    looking.now()
    return {
      async stop() {
        unsubscribe()
        await held.end()
        await Promise.all([looking.stop(), polling.stop()])
        await held.leaveAll()
        await renewing.stop()
      },
    }
  },
}

/** The connections of this process: it claims its share of them, and gives some back when another process comes. */
class Channels {
  readonly #platform: Platform
  readonly #host
  readonly #owner: string
  readonly #drivers: Map<string, Driver>
  readonly #connections = new Map<number, ChannelConnection>()
  readonly #claiming = new Map<number, Promise<void>>()
  readonly #leaving = new Map<number, { connection: ChannelConnection; done: Promise<void> }>()
  readonly #inTurn = openInTurn(CLAIMS)
  readonly #freeSince = new Map<number, number>()
  /** Companies of expired leases that were claimed. */
  readonly #inherited = new Set<number>()
  /** How many connections each of the other living processes runs. */
  #others: number[] = []
  #meeting: Promise<unknown> = Promise.resolve()
  #giving: Promise<void> | null = null
  #keepsUntil = 0
  #isStopping = false

  constructor(platform: Platform) {
    this.#platform = platform
    this.#host = platform.scopes.platform()
    this.#owner = platform.instance
    this.#drivers = new Map(driversOf(platform).map(driver => [driver.lib, driver]))
  }

  /** Carries out new orders, and claims its share of what is free. */
  readonly look = async () => {
    const found = await desiredStates(this.#host, this.#owner, [...this.#connections.values()])
    if (this.#isStopping) return
    const free: DesiredState[] = []
    for (const wish of found) {
      const own = this.#connections.get(wish.whatsappId)
      if (own) void own.carryOut(wish)
      else if (!this.#claiming.has(wish.whatsappId) && !this.#leaving.has(wish.whatsappId)) free.push(wish)
    }
    this.#claimShare(free)
    this.#publishGaps()
  }

  /** Wakes connections with waiting work whose signal was lost: one statement for all of them. */
  readonly wake = async () => {
    if (this.#connections.size === 0) return
    const found = await this.#host.list(sql => connectionsWithWork(sql, this.#owner, SOON_MS))
    for (const { whatsappId, ...kinds } of found)
      for (const kind of KINDS) if (kinds[kind]) this.#connections.get(whatsappId)?.wake(kind)
  }

  /** Renews all leases, leaves connections whose lease is lost, and gives some to a process with fewer. */
  readonly keepAlive = async () => {
    const leaving = [...this.#leaving.values()].map(({ connection }) => connection)
    const held = [...this.#connections.values(), ...leaving].map(({ lease }) => lease)
    const meeting = this.#isStopping ? Promise.resolve([]) : meet(this.#host, this.#owner)
    this.#meeting = meeting.catch(() => {})
    const still = await renew(this.#host, this.#owner, held)
    for (const connection of [...this.#connections.values()])
      if (held.includes(connection.lease) && (!still.has(connection.lease) || connection.isLost()))
        void this.#leave(connection)
    this.#others = await meeting
    this.#giving ??= this.#giveBack().finally(() => {
      this.#giving = null
    })
  }

  /** Claims nothing more, and counts as gone for the others. */
  async end() {
    this.#isStopping = true
    await this.#meeting
    await depart(this.#host, this.#owner).catch(() => {})
  }

  async leaveAll() {
    await Promise.all(this.#claiming.values())
    await Promise.all([...this.#connections.values()].map(connection => this.#leave(connection)))
    await Promise.all([...this.#leaving.values()].map(({ done }) => done))
  }

  #claimShare(free: DesiredState[]) {
    const now = performance.now()
    const isFree = new Set(free.map(({ whatsappId }) => whatsappId))
    for (const whatsappId of this.#freeSince.keys())
      if (!isFree.has(whatsappId)) this.#freeSince.delete(whatsappId)
    const share = shareOf(free.length, this.#connections.size + this.#claiming.size, this.#others)
    for (const [at, wish] of free.entries()) {
      const since = this.#freeSince.get(wish.whatsappId) ?? now
      this.#freeSince.set(wish.whatsappId, since)
      const isOverdue = at >= share && now - since > OVERDUE_MS
      if (isOverdue) this.#keepsUntil = now + KEPT_MS
      if (at < share || isOverdue) this.#claim(wish)
    }
  }

  #claim(wish: DesiredState) {
    const { companyId, whatsappId } = wish
    const claiming = this.#inTurn(companyId, () => this.#open(wish))
      .catch(error => this.#platform.log.warn({ err: error, whatsappId }, 'a connection is claimed again'))
      .finally(() => {
        this.#claiming.delete(whatsappId)
        if (this.#claiming.size === 0) this.#publishGaps()
      })
    this.#claiming.set(whatsappId, claiming)
  }

  /** Nothing while another process holds the lease. */
  async #open(wish: DesiredState) {
    const { companyId, whatsappId, lib } = wish
    const driver = this.#drivers.get(lib)
    if (!driver || this.#isStopping) return
    const lease = await claim(this.#host, this.#owner, { companyId, whatsappId })
    if (!lease) return
    if (lease.isInherited) this.#inherited.add(companyId)
    this.#platform.log.info({ companyId, whatsappId }, 'this process runs the connection')
    const connection = openConnection(this.#platform, driver, this.#owner, lease)
    this.#connections.set(whatsappId, connection)
    void connection.carryOut(wish)
  }

  /** One after the other, while nothing is free that a process with fewer may still claim. */
  async #giveBack() {
    for (let given = 0; given < GIVEN_AT_ONCE; given++) {
      const isSettled = this.#freeSince.size === 0 && this.#claiming.size === 0
      const least = Math.min(...this.#others) + given
      const last = [...this.#connections.values()].at(-1)
      if (!last || !isSettled || this.#isStopping || performance.now() < this.#keepsUntil) return
      if (!isAbove(this.#connections.size, least)) return
      await this.#leave(last)
    }
  }

  /** Ends a session behind what is under way, and releases its lease for whoever claims it next. */
  #leave(connection: ChannelConnection): Promise<void> {
    const { whatsappId, lease } = connection
    const { log, signals } = this.#platform
    this.#connections.delete(whatsappId)
    log.info({ whatsappId }, 'the connection is left, for whoever claims it next')
    const done = connection
      .drop()
      .then(() => release(this.#host, this.#owner, lease))
      .catch(error => log.warn({ err: error, whatsappId }, 'a lease ends by itself'))
      .then(() => {
        this.#leaving.delete(whatsappId)
        signals.notify(CONNECTIONS_TOPIC)
      })
    this.#leaving.set(whatsappId, { connection, done })
    return done
  }

  /** The previous owner may have died between its commit and the push of it: screens fetch again. */
  #publishGaps() {
    for (const companyId of this.#inherited)
      publishGap(this.#platform.sockets.push, [everyone(companyId), visitors(companyId)])
    this.#inherited.clear()
  }
}

const KINDS = ['outbox', 'operations', 'inbound', 'files'] as const

const driversOf = (platform: Platform): Driver[] => {
  const { log, config } = platform
  return [
    createBaileysDriver({ webUrl: config.whatsappWebUrl, version: config.whatsappWebVersion, log }),
    createCloudDriver(platform),
    createSimulatorDriver(platform),
  ]
}
