import type { Readable } from 'node:stream'
import type { Typing } from '@balcao/contract/messages.ts'
import {
  type ChannelSession,
  type Chat,
  type CheckLease,
  type Driver,
  LeaseLost,
  type Operation,
  type Outcome,
  type Outgoing,
  type SessionHost,
} from '../../driver.ts'

import {
  type CompanyOperation,
  deliver,
  showTyping,
  undergo,
} from '../../features/simulator/simulator.actions.ts'
import {
  type PhoneTypes,
  phoneTypesTopic,
  simulatorTopic,
} from '../../features/simulator/simulator.events.ts'
import {
  faultOf,
  markReported,
  phonesThatWait,
  type SimulatorRow,
  unreported,
} from '../../features/simulator/simulator.queries.ts'
import type { Platform } from '../../platform/app.ts'
import { together } from '../../platform/postgres/db.ts'
import type { Scope, Tx } from '../../platform/scope.ts'
import { type LookedFor, lookFor } from '../looked-for.ts'
import { eventsOf, fetchFile, phoneContentOf } from './translate.ts'

/** How often (ms) phones are looked at: a signal may be lost. */
const LOOK_MS = 5_000
const BATCH = 100
const SLOW_MS = 2_000

type Deps = Pick<Platform, 'scopes' | 'signals' | 'files' | 'log'> & { lookedFor: LookedFor }

const connected = { status: 'CONNECTED', statusReason: '', qrcode: '', pairingCode: '', retries: 0 } as const

/** A network of phones on a web page. Its state is rows, which outlive the driver and the page. */
export function createSimulatorDriver(platform: Platform): Driver {
  const { scopes, signals, files, log } = platform
  const deps = { scopes, signals, files, log, lookedFor: lookFor(platform, LOOK_MS, phonesThatWait) }
  return {
    lib: 'simulator',
    async open(host) {
      const session = new SimulatorSession(host, deps)
      await host.report(connected)
      session.look()
      return session
    },
  }
}

class SimulatorSession implements ChannelSession {
  readonly #host: SessionHost
  readonly #deps: Deps
  readonly #scope: Scope
  readonly #subscriptions: (() => void)[]
  #isOnline = true
  #isOpen = true
  #again = false
  #looking: Promise<void> | null = null

  constructor(host: SessionHost, deps: Deps) {
    const { signals, scopes, lookedFor } = deps
    this.#host = host
    this.#deps = deps
    this.#scope = scopes.promised(host.companyId)
    this.#subscriptions = [
      lookedFor(host.whatsappId, () => this.look()),
      signals.listen(simulatorTopic(host.whatsappId), () => this.look()),
      signals.listen(phoneTypesTopic(host.whatsappId), incoming => {
        const { number, state } = incoming as PhoneTypes
        if (this.ready()) host.typing({ kind: 'phone', value: number }, state)
      }),
    ]
  }

  ready(): boolean {
    return this.#isOpen && this.#isOnline
  }

  async send(message: Outgoing, checkLease: CheckLease): Promise<Outcome> {
    const { companyId, whatsappId } = this.#host
    const { externalId, body } = message
    if (message.chat.kind === 'cloud') return { is: 'refused', reason: 'ERR_WAPP_OTHER_NETWORK' }
    const content = await phoneContentOf(this.#deps.files, companyId, message)
    return this.#overNetwork(checkLease, async tx => {
      this.#deps.log.debug({ whatsappId, externalId }, 'the simulated phone has it')
      await deliver(tx, whatsappId, { number: message.chat.value, externalId, body, content })
      return { is: 'sent' }
    })
  }

  act(operation: Operation, checkLease: CheckLease): Promise<Outcome> {
    return this.#overNetwork(checkLease, async tx => {
      const known = await undergo(
        tx,
        this.#host.whatsappId,
        operation.target.externalId,
        asOnPhone(operation),
      )
      return known ? { is: 'sent' } : { is: 'refused', reason: 'ERR_FETCH_WAPP_MSG' }
    })
  }

  download(source: string): Promise<Readable> {
    return fetchFile(this.#deps.files, this.#host.companyId, source)
  }

  /** Every number has an account, except those that end in 0000. */
  async find(number: string): Promise<string | null> {
    if (!this.#isOnline) throw new Error('offline')
    return number.endsWith('0000') ? null : number
  }

  async markRead(): Promise<void> {}

  type(chat: Chat, state: Typing): Promise<void> {
    return showTyping(this.#scope, this.#host.whatsappId, chat.value, state)
  }

  async close({ logout }: { logout: boolean }): Promise<void> {
    this.#isOpen = false
    for (const end of this.#subscriptions) end()
    await this.#looking
    if (logout) await this.#host.report({ status: 'DISCONNECTED' })
  }

  look(): void {
    this.#again = true
    this.#looking ??= this.#lookOn().finally(() => {
      this.#looking = null
    })
  }

  async #lookOn() {
    let reported: SimulatorRow[] = []
    while (this.#isOpen && (this.#again || reported.length > 0)) {
      this.#again = false
      try {
        const [fault, rows] = await this.#next(reported)
        reported = []
        await this.#follow(fault)
        if (this.#isOnline && rows.length > 0) await this.#report(rows)
        if (this.#isOnline) reported = rows
        this.#host.recording(null)
      } catch (error) {
        const { whatsappId } = this.#host
        if (error instanceof LeaseLost) this.#isOpen = false
        else this.#host.recording(error)
        if (this.#isOpen) this.#deps.log.warn({ err: error, whatsappId }, 'the simulator will look again')
      }
    }
  }

  /** Marks the rows that were reported, and reads the next ones, in one transaction. */
  #next(reported: SimulatorRow[]) {
    const { whatsappId } = this.#host
    const look = (tx: Tx) =>
      together(
        tx.sql,
        () => faultOf(tx, whatsappId),
        () => unreported(tx, whatsappId, BATCH),
      )
    if (reported.length === 0) return this.#scope.list(look)
    return this.#host.write(async tx => {
      await markReported(tx, reported)
      return look(tx)
    })
  }

  /** Going offline and coming back is reported like any other network's. */
  async #follow(fault: string) {
    if (this.#isOnline === (fault !== 'offline')) return
    this.#isOnline = !this.#isOnline
    await this.#host.report({ status: this.#isOnline ? 'CONNECTED' : 'OPENING' })
  }

  async #report(rows: SimulatorRow[]) {
    const chats = Map.groupBy(rows, row => row.number).values()
    await Promise.all([...chats].map(chat => this.#host.receive(chat.flatMap(eventsOf))))
  }

  /** Runs `work` over the network with the fault that is set. */
  async #overNetwork(checkLease: CheckLease, work: (tx: Tx) => Promise<Outcome>): Promise<Outcome> {
    await checkLease()
    const done = await this.#scope.transaction(async tx => {
      const fault = await faultOf(tx, this.#host.whatsappId)
      return fault === 'none' ? work(tx) : fault
    })
    if (done === 'reject') return { is: 'refused', reason: 'ERR_SENDING_WAPP_MSG' }
    if (done === 'offline') return { is: 'unknown', reason: 'offline' }
    if (done !== 'slow') return done
    await new Promise(woken => setTimeout(woken, SLOW_MS))
    await checkLease()
    return this.#scope.transaction(work)
  }
}

/** What an operation does on the phone. */
function asOnPhone(operation: Operation): CompanyOperation {
  switch (operation.what) {
    case 'react':
      return { kind: 'reaction', body: operation.emoji }
    case 'edit':
      return { kind: 'edit', body: operation.body }
    case 'pin':
      return { kind: 'pin', body: operation.seconds > 0 ? 'pinned' : '' }
    case 'delete':
      return { kind: 'delete', body: '' }
  }
}
