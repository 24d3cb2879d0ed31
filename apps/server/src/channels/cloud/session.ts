import type { Readable } from 'node:stream'
import { isBanned } from '@balcao/contract/cloud.standing.rules.ts'
import type { Typing } from '@balcao/contract/messages.ts'
import type { Logger } from 'pino'
import {
  type ChannelSession,
  type Chat,
  type CheckLease,
  LeaseLost,
  type Operation,
  type Outcome,
  type Outgoing,
  type SessionHost,
  type SessionState,
  type Target,
} from '../../driver.ts'
import { type Graph, GraphRefusal, GraphSilence } from '../../features/cloud/cloud.client.ts'
import { cloudTopic } from '../../features/cloud/cloud.events.ts'
import type { CloudRow } from '../../features/connections/connections.rules.ts'
import type { Platform } from '../../platform/app.ts'
import type { InTurn } from '../../platform/work/in-turn.ts'
import type { LookedFor } from '../looked-for.ts'
import { RECONNECTED } from './account.ts'
import { Arrivals } from './arrivals.ts'
import { type Policy, policyOf } from './errors.ts'
import { HealthReports } from './health.ts'
import { download } from './media.ts'
import { subscribe, syncApp } from './onboarding.ts'
import { createPace, HIGH, ON_APP, STANDARD } from './pace.ts'
import { type ReadReceipts, readReceipts } from './read-receipts.ts'
import { type Repeats, repeated } from './repeats.ts'
import { CloudSender } from './send.ts'
import type { SessionStore } from './store.ts'

/** A health check now and then (ms), so that no message is the first to find the connection broken. */
const BEAT_MS = 30_000
/** The same while messages are exchanged. */
const BUSY_BEAT_MS = 8_000
const BUSY_MS = 60_000
const MOST_WAIT_MS = 60_000

const connected = { status: 'CONNECTED', statusReason: '', qrcode: '', pairingCode: '', retries: 0 } as const

/** What the sessions of a process share. */
export interface Shared {
  lookedFor: LookedFor
  inTurn: InTurn
}

/** What a session is opened with. */
export interface OpenedNumber extends Shared {
  store: SessionStore
  graph: Graph
  settings: CloudRow
}

/** `barred`: Meta answers, and lets nothing out of this number or account; it is asked until that ends. */
type State = 'opening' | 'on' | 'barred' | 'ended' | 'closed'

/** One number of the official API: its state, by what Meta answers. */
export class CloudSession implements ChannelSession {
  readonly #host: SessionHost
  readonly #log: Logger
  readonly #opened: OpenedNumber
  readonly #pace = createPace()
  readonly #sender: CloudSender
  readonly #arrivals: Arrivals
  readonly #reads: ReadReceipts
  readonly #health: HealthReports
  readonly #beat: Repeats
  readonly #look: Repeats
  readonly #drained = Promise.withResolvers<void>()
  readonly #unlisten: () => void
  readonly #unwatch: () => void
  readonly #config: Pick<Platform['config'], 'backendUrl' | 'metaAppId'>
  #state: State = 'opening'
  #failures = 0
  /** Of the account; null when it has to be read. */
  #banState: Promise<string> | null
  #busyAt = Number.NEGATIVE_INFINITY

  constructor(
    host: SessionHost,
    { signals, log, config }: Pick<Platform, 'signals' | 'log' | 'config'>,
    opened: OpenedNumber,
  ) {
    this.#config = config
    const { store, graph, settings, lookedFor } = opened
    const { phoneNumberId, businessAccountId } = settings
    const { companyId, whatsappId } = host
    this.#host = host
    this.#opened = opened
    this.#banState = Promise.resolve(settings.banState)
    this.#log = log.child({ companyId, whatsappId })
    this.#sender = new CloudSender({
      ...{ graph, store, phoneNumberId, businessAccountId, pace: this.#pace },
      voiceNote: host.voiceNote,
      troubled: (how, what) => this.#troubled(how, what),
    })
    this.#reads = readReceipts(graph, phoneNumberId, error => this.#troubled('silent', error.message))
    const onAccount = (fields: string[]) => this.#onAccount(fields)
    this.#arrivals = new Arrivals({
      host,
      store,
      phoneNumberId,
      businessAccountId,
      log: this.#log,
      onAccount,
      onDeclined: () => void this.#health.note('ERR_WAPP_HISTORY_DECLINED'),
    })
    this.#health = new HealthReports({ store, graph, token: settings.accessToken, log: this.#log })
    const failed = (error: unknown) => this.#failed(error)
    this.#beat = repeated(
      () => this.#check(),
      () => this.#pause(),
      failed,
    )
    this.#look = repeated(
      () => this.#drain(),
      () => null,
      failed,
    )
    this.#unlisten = signals.listen(cloudTopic(whatsappId), this.#look.soon)
    void host.report({ status: 'OPENING' }).then(this.#beat.soon, failed)
    this.#look.soon()
    this.#unwatch = lookedFor(whatsappId, this.#look.soon)
  }

  ready(): boolean {
    return this.#state === 'on' && this.#pace.open()
  }

  send(message: Outgoing, leave: CheckLease): Promise<Outcome> {
    this.#busy()
    return this.#sender.send(message, leave)
  }

  act(operation: Operation, leave: CheckLease): Promise<Outcome> {
    return this.#sender.act(operation, leave)
  }

  download(source: string): Promise<Readable> {
    return download(this.#opened.graph, source)
  }

  async markRead(_chat: Chat, read: Target[]): Promise<void> {
    const last = read.findLast(one => one.externalId.startsWith('wamid.'))
    if (last && this.#is('on')) await this.#reads.read(last.externalId)
  }

  async type(chat: Chat, what: Typing): Promise<void> {
    const last = this.#arrivals.lastOf(chat.value) ?? (chat.also && this.#arrivals.lastOf(chat.also.value))
    if (last && what !== 'paused' && this.#is('on')) await this.#reads.typing(last.externalId)
  }

  async close(): Promise<void> {
    this.#state = 'closed'
    this.#drained.resolve()
    this.#unlisten()
    this.#unwatch()
    await Promise.all([this.#beat.stop(), this.#look.stop(), this.#sender.close()])
    await this.#opened.graph.close()
  }

  #onAccount(fields: string[]) {
    if (fields.some(field => field.includes('template'))) this.#sender.forgetTemplates()
    if (fields.includes('account_update')) this.#banState = null
    this.#health.expire()
    if (fields.includes(RECONNECTED)) void this.#comeBack()
    else this.#beat.soon()
  }

  /** A number that Meta took off and gives back: its token is tried again. */
  async #comeBack() {
    if (this.#is('ended')) {
      this.#state = 'opening'
      this.#failures = 0
      await this.#report({ status: 'OPENING', statusReason: '' })
    }
    this.#beat.soon()
  }

  #troubled(how: 'silent' | Policy, what: string) {
    if (how === 'silent') void this.#lineBroke(what)
    if (how === 'auth') void this.#end(what)
    if (how === 'blocked' || how === 'denied' || how === 'rest') void this.#health.note(what)
  }

  #failed(error: unknown) {
    if (error instanceof LeaseLost) this.#state = 'closed'
    else this.#log.warn({ err: error }, 'the session will look again')
  }

  async #report(state: Partial<SessionState>) {
    await this.#host.report(state).catch(error => this.#failed(error))
  }

  async #lineBroke(what: string) {
    if (this.#state !== 'on') return
    this.#state = 'opening'
    this.#log.warn({ reason: what }, 'Meta does not answer')
    await this.#report({ status: 'OPENING' })
    this.#beat.soon()
  }

  /** The token is invalid, or has no such number: no further call until an admin enters another. What arrives is still recorded. */
  async #end(what: string) {
    if (this.#state === 'ended' || this.#state === 'closed') return
    this.#state = 'ended'
    await this.#health.note(what)
    await this.#report({ status: 'DISCONNECTED', statusReason: what })
  }

  async #check() {
    if (this.#state === 'ended' || this.#state === 'closed') return
    try {
      const { number, learnt, isOnApp } = await this.#health.ask(this.#opened.settings.phoneNumberId)
      this.#failures = 0
      this.#pace.limit(isOnApp ? ON_APP : learnt.throughput === 'HIGH' ? HIGH : STANDARD)
      const lastWebhookAt = this.#arrivals.lastWebhookAt()
      await this.#health.publish({ ...learnt, lastWebhookAt }, { isOpening: this.#is('opening') })
      this.#banState ??= this.#opened.store.banState()
      const banState = await this.#banState
      if (isBanned({ numberStatus: learnt.numberStatus ?? '', banState })) return this.#bar()
      if (this.#is('barred')) this.#state = 'opening'
      const isSyncing = ['contacts', 'history'].includes(this.#opened.settings.signUp)
      if (this.#is('opening') || isSyncing) await this.#subscribe()
      if (!this.#is('opening')) return
      // The statuses that replace a lost answer may be among what arrived meanwhile.
      await this.#drained.promise
      if (!this.#is('opening')) return
      this.#state = 'on'
      await this.#host.report({ ...connected, number })
    } catch (error) {
      this.#banState = null
      await this.#checkFailed(error)
    }
  }

  /** The state as it is now: it changes during every await. */
  #is(state: State) {
    return this.#state === state
  }

  async #checkFailed(error: unknown) {
    if (error instanceof LeaseLost) throw error
    if (!(error instanceof GraphRefusal || error instanceof GraphSilence)) return this.#failed(error)
    this.#failures++
    const { policy, reason } =
      error instanceof GraphRefusal ? policyOf(error) : { policy: 'again' as const, reason: error.message }
    if (policy === 'auth') return this.#end(reason)
    // Meta answers, and refuses this question alone: what is sent shows whether the number works
    const isAnswered = ANSWERED.includes(policy)
    if (isAnswered) await this.#health.note(reason)
    if (this.#state === 'on') return isAnswered ? undefined : this.#lineBroke(reason)
    await this.#host.report({ status: 'OPENING', retries: this.#failures })
  }

  /** What is sent waits, and what arrives is recorded. */
  async #bar() {
    if (this.#is('closed') || this.#is('ended')) return
    await this.#health.note('ERR_WAPP_BANNED')
    if (!this.#is('opening') && !this.#is('on')) return
    this.#state = 'barred'
    await this.#host.report({ status: 'OPENING', statusReason: 'ERR_WAPP_BANNED' })
  }

  /** A token without this permission may still send; the admin reads why nothing comes in. */
  async #subscribe() {
    const { graph, store, settings } = this.#opened
    const { backendUrl, metaAppId: appId } = this.#config
    const deps = { graph, store, settings, backendUrl, appId, log: this.#log }
    await subscribe(deps)
      .then(() => syncApp(deps))
      .catch(error => {
        if (error instanceof GraphRefusal) return this.#health.note(policyOf(error).reason)
        throw error
      })
  }

  async #drain() {
    const { inTurn } = this.#opened
    const batch = () => inTurn(this.#host.companyId, () => this.#arrivals.workOff())
    while (this.#state !== 'closed' && (await batch())) this.#busy()
    this.#drained.resolve()
  }

  #busy() {
    const wasQuiet = performance.now() - this.#busyAt > BUSY_MS
    this.#busyAt = performance.now()
    if (wasQuiet) this.#beat.soon()
  }

  #pause() {
    if (this.#state === 'opening') return Math.min(500 * 2 ** Math.min(this.#failures, 10), MOST_WAIT_MS)
    return performance.now() - this.#busyAt < BUSY_MS ? BUSY_BEAT_MS : BEAT_MS
  }
}

const ANSWERED: Policy[] = ['refuse', 'denied', 'blocked', 'slow', 'rest', 'pair']
