import { setTimeout as sleep } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import type { Logger } from 'pino'
import { type ChannelSession, type CheckLease, type Driver, LeaseLost, type SessionHost } from '../driver.ts'
import {
  type Fence,
  fenceOf,
  isHeld,
  type Lease,
  checkLease as readLease,
} from '../features/connections/connections.leases.queries.ts'
import { replaceDesired, type Wanted } from '../features/connections/connections.session.queries.ts'
import { BATCH } from '../features/messages/outbox/outbox.queries.ts'
import type { Platform } from '../platform/app.ts'
import { perProduct } from '../platform/memory.ts'
import { traced } from '../platform/observe/trace.ts'
import type { Scope, Tx } from '../platform/scope.ts'
import { batching } from '../platform/work/group-commit.ts'
import { openQueue } from '../platform/work/serial-queue.ts'
import { TypingShown } from './typing.ts'

/** What waits for a connection in its rows. */
export type Work = 'outbox' | 'operations' | 'inbound' | 'files'

/** What a connection does, wired in `open.ts`. */
export interface Parts {
  driver: Driver
  /** What a session gets; called once, and again with each number to pair. */
  host(connection: ChannelConnection): (pairNumber: string) => SessionHost
  work: Record<Work, (connection: ChannelConnection, session: ChannelSession) => Promise<void>>
  /** Subscribes to the signals of the connection; answers the ends of the subscriptions. */
  listen(connection: ChannelConnection): (() => void)[]
}

/** What the connection's row asks for; each is carried out once. */
export interface Order {
  number: number
  wanted: Wanted
  pairNumber: string
}

const traces = perProduct(() => new LRUCache<string, string>({ max: 20_000 }))

/** A chat that is slower is no longer awaited, so that a large file or a call that hangs does not delay other chats. */
const SLOW_MS = 1_000
/** What is under way has this long (ms) to end before a session is closed. */
const DRAIN_MS = 5_000

/**
 * One connection in the process that holds its lease: its session, its orders, and the background work in its rows while it has
 * a session. The kinds of work run in parallel: a hanging download or reaction does not delay a message. They are woken by
 * signals; what failed, or whose signal was lost, is found by the process's look at all its connections.
 */
export class ChannelConnection {
  readonly platform: Platform
  /** Who holds the lease. */
  readonly owner: string
  readonly lease: Lease
  readonly scope: Scope
  readonly whatsappId: number
  readonly log: Logger
  readonly fence: Fence
  readonly checkLease: CheckLease
  /** The traces that waiting messages and operations belong to, as far as this process knows them; others begin their own. */
  readonly traces: LRUCache<string, string>
  readonly presence = new TypingShown(() => this.wake('outbox'))
  /** Chats that are worked on, also those that are slow. A look leaves them out, and is repeated when one is free again. */
  readonly busyChats = { outbox: new Set<number>(), operations: new Set<number>() }
  /** Whether the last look into the outbox left out chats. */
  passesOver = false
  /** Events whose picture, and messages whose file is being fetched. */
  readonly fetching = { pictures: new Set<number>(), files: new Set<string>() }
  /** The last order that was asked for. */
  order = -1
  session: ChannelSession | null = null
  readonly #driver: Driver
  readonly #host: (pairNumber: string) => SessionHost
  readonly #wakes: Record<Work, () => void>
  readonly #subscriptions: (() => void)[]
  readonly #orders = openQueue()
  readonly #underWay = new Set<Promise<unknown>>()
  #isLost = false
  #isEnding = false

  constructor(platform: Platform, owner: string, lease: Lease, { driver, host, work, listen }: Parts) {
    const { companyId, whatsappId } = lease
    this.platform = platform
    this.owner = owner
    this.traces = traces(platform)
    this.lease = lease
    this.whatsappId = whatsappId
    this.scope = platform.scopes.promised(companyId)
    this.log = platform.log.child({ companyId, whatsappId })
    const stillOurs = fenceOf(owner, lease)
    this.fence = tx => stillOurs(tx).catch(this.#onLost)
    this.checkLease = this.#checksOf(readLease(this.scope, owner, lease))
    this.#driver = driver
    this.#wakes = {
      outbox: this.#oneAtATime(work.outbox),
      operations: this.#oneAtATime(work.operations),
      inbound: this.#oneAtATime(work.inbound),
      files: this.#oneAtATime(work.files),
    }
    this.#host = host(this)
    this.#subscriptions = listen(this)
  }

  /** A transaction that holds the lease until its commit. */
  readonly write = <T>(work: (tx: Tx) => Promise<T>): Promise<T> =>
    this.scope.transaction(async tx => {
      await this.fence(tx)
      return work(tx)
    })

  /** False from the moment on in which another process may be the owner. */
  readonly owns = (): boolean => {
    this.#isLost ||= !isHeld(this.lease)
    return !this.#isLost
  }

  /** The lease is lost, or the session did not open: to be dropped, and opened again. */
  readonly isLost = (): boolean => this.#isLost

  /** Looks for work in the rows of the connection: of these kinds, or of all. */
  readonly wake = (...kinds: Work[]): void => {
    for (const kind of kinds.length > 0 ? kinds : WORK) this.#wakes[kind]()
  }

  /** Whether something may begin on its session. */
  readonly isReady = (session: ChannelSession): boolean => !this.#isEnding && session.ready()

  /**
   * Works on what waits, in order within each chat, chats in parallel: `work` answers how much of one it settled. A chat that is
   * slow is no longer awaited, and wakes the `kind` at its end. True when there is nothing more to do now.
   */
  readonly inChats = async <Waiting extends { contactId: number }>(
    kind: 'outbox' | 'operations',
    waiting: Waiting[],
    work: (chat: Waiting[]) => Promise<number>,
  ): Promise<boolean> => {
    const busy = this.busyChats[kind]
    const doing = [...Map.groupBy(waiting, ({ contactId }) => contactId)].map(([contactId, chat]) => {
      busy.add(contactId)
      return this.follow(work(chat).finally(() => busy.delete(contactId)))
    })
    const all = Promise.all(doing)
    const done = await Promise.race([all, sleep(SLOW_MS, null, { ref: false })])
    if (done === null)
      all.then(
        () => this.wake(kind),
        error => {
          if (!(error instanceof LeaseLost)) this.log.warn({ err: error }, 'a chat will be tried again')
        },
      )
    return waiting.length < BATCH || (done !== null && !done.some(settled => settled > 0))
  }

  /** A chat of the outbox may be looked at again; a look that left it out is repeated. */
  readonly freeChat = (contactId: number): void => {
    this.busyChats.outbox.delete(contactId)
    if (this.passesOver) this.wake('outbox')
  }

  /** Another process has the lease: this one is dropped. */
  readonly lose = (): LeaseLost => {
    this.#isLost = true
    return new LeaseLost()
  }

  /** What must end before the session is closed. */
  readonly follow = <T>(work: Promise<T>): Promise<T> => {
    const ended: Promise<void> = work.then(noMatter, noMatter).then(() => void this.#underWay.delete(ended))
    this.#underWay.add(ended)
    return work
  }

  /** Carries out an order, once and behind those before it. */
  async carryOut({ number, wanted, pairNumber }: Order): Promise<void> {
    if (number <= this.order) return
    this.order = number
    await this.#inOrder(async () => {
      await this.#close({ logout: wanted === 'logout' })
      if (wanted === 'renew' || wanted === 'logout') await this.#host('').keys.clear()
      if (wanted === 'renew') await this.#settle(number, 'on')
      if (wanted === 'logout') {
        await this.#host('').report(LOGGED_OUT)
        await this.#settle(number, 'off')
      }
      if (wanted === 'on' || wanted === 'renew')
        this.session = await this.#driver.open(this.#host(pairNumber))
      this.wake()
    })
  }

  /** Ends it here without logging out, behind what is under way; nothing is awaited where the lease is lost. */
  drop(): Promise<void> {
    this.#isEnding = true
    return this.#inOrder(async () => {
      this.presence.stop()
      for (const end of this.#subscriptions) end()
      if (this.owns())
        await Promise.race([Promise.all(this.#underWay), sleep(DRAIN_MS, null, { ref: false })])
      await this.#close({ logout: false })
    })
  }

  #inOrder(work: () => Promise<void>): Promise<void> {
    return this.#orders(work).catch(error => {
      // a session that opened in part receives nothing: it is opened again
      this.#isLost = true
      if (!(error instanceof LeaseLost))
        this.log.error({ err: error }, 'a connection could not do what it was asked for')
    })
  }

  async #close(how: { logout: boolean }) {
    const closing = this.session
    this.session = null
    await closing?.close(how)
  }

  /** An order that must not be carried out twice is replaced by its result, unless a newer one came. */
  #settle(order: number, wanted: Wanted) {
    return this.scope.transaction(tx => replaceDesired(tx, this.whatsappId, order, wanted))
  }

  /** Called again while it works, it works once more; it ends when there is no session. */
  #oneAtATime(work: Parts['work'][Work]): () => void {
    let working = false
    let wake = false
    const workOff = async () => {
      working = true
      try {
        for (let session = this.session; wake && session && !this.#isEnding; session = this.session) {
          wake = false
          const open = session
          await traced(undefined, () => work(this, open))
        }
      } catch (error) {
        if (!(error instanceof LeaseLost)) this.log.warn({ err: error }, 'a connection will look again')
      } finally {
        working = false
      }
    }
    return () => {
      wake = true
      if (!working) void this.follow(workOff())
    }
  }

  readonly #onLost = (error: unknown): never => {
    this.#isLost ||= error instanceof LeaseLost
    throw error
  }

  /**
   * The check that drivers call when bytes leave: by the database's clock, one query for all messages that leave at the same
   * time, and after its answer by the process's own clock, so that a process that was frozen in between does not go on.
   */
  #checksOf(query: () => Promise<void>): CheckLease {
    const queried = batching(async (all: null[]) => {
      await query()
      return all
    })
    return async () => {
      await queried(null).catch(this.#onLost)
      if (!this.owns()) throw new LeaseLost()
    }
  }
}

/** Failures are logged where they are awaited. */
const noMatter = () => {}

const WORK = ['outbox', 'operations', 'inbound', 'files'] as const satisfies Work[]

const LOGGED_OUT = {
  status: 'DISCONNECTED',
  statusReason: '',
  statusUntil: null,
  qrcode: '',
  pairingCode: '',
  number: '',
  retries: 0,
} as const
