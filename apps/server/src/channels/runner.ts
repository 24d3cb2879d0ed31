import { type ChannelSession, type Driver, LeaseLost, type SessionHost } from '../driver.ts'
import type { Lease } from '../features/connections/connections.leases.queries.ts'
import { replaceDesired, type Wanted } from '../features/connections/connections.session.queries.ts'
import { resume } from '../features/imports/imports.actions.ts'
import type { Platform } from '../platform/app.ts'
import { openQueue } from '../platform/work/serial-queue.ts'
import { type Holding, hold, hostOf } from './session-host.ts'
import { ConnectionWork } from './work.ts'

interface Order {
  number: number
  wanted: Wanted
  pairNumber: string
}

/** One connection in the process that holds its lease. Orders are carried out one after the other. */
export class ConnectionRunner {
  readonly lease: Lease
  /** The last order that was carried out. */
  order = -1
  readonly #driver: Driver
  readonly #holding: Holding
  readonly #host: (pairNumber: string) => SessionHost
  readonly #work: ConnectionWork
  readonly #queue = openQueue()
  #session: ChannelSession | null = null

  constructor(platform: Platform, driver: Driver, owner: string, lease: Lease) {
    this.lease = lease
    this.#driver = driver
    this.#holding = hold(platform, owner, lease)
    this.#work = new ConnectionWork(platform, this.#holding, () => this.#session)
    this.#host = hostOf(platform, this.#holding, this.#work)
    const { scope, whatsappId, log } = this.#holding
    resume(scope, whatsappId).catch(error => log.warn({ err: error }, 'an import waits'))
  }

  carryOut({ number, wanted, pairNumber }: Order): Promise<void> {
    return this.#serialize(async () => {
      this.order = number
      await this.#close({ logout: wanted === 'logout' })
      if (wanted === 'renew' || wanted === 'logout') await this.#host('').keys.clear()
      if (wanted === 'renew') await this.#settle(number, 'on')
      if (wanted === 'logout') {
        await this.#host('').report(LOGGED_OUT)
        await this.#settle(number, 'off')
      }
      if (wanted === 'on' || wanted === 'renew')
        this.#session = await this.#driver.open(this.#host(pairNumber))
      void this.#work.lookAround()
    })
  }

  /** Looks for work in the rows of the connection. */
  look(): void {
    void this.#work.lookAround()
  }

  /** The lease is lost, or the session did not open: to be dropped, and opened again. */
  isLost(): boolean {
    return this.#holding.isLost()
  }

  /** Ends it here without logging out: the lease is lost or the process stops. */
  drop(): Promise<void> {
    return this.#serialize(async () => {
      this.#work.stop()
      await this.#close({ logout: false })
    })
  }

  #serialize(work: () => Promise<void>): Promise<void> {
    return this.#queue(work).catch(error => {
      // a session that opened in part receives nothing: it is opened again
      this.#holding.lose()
      if (!(error instanceof LeaseLost))
        this.#holding.log.error({ err: error }, 'a connection could not do what it was asked for')
    })
  }

  async #close(how: { logout: boolean }) {
    const closing = this.#session
    this.#session = null
    await closing?.close(how)
  }

  /** An order that must not be carried out twice is replaced by its result, unless a newer one came. */
  #settle(order: number, wanted: Wanted) {
    const { scope, whatsappId } = this.#holding
    return scope.transaction(tx => replaceDesired(tx, whatsappId, order, wanted))
  }
}

const LOGGED_OUT = {
  status: 'DISCONNECTED',
  statusReason: '',
  statusUntil: null,
  qrcode: '',
  pairingCode: '',
  number: '',
  retries: 0,
} as const
