import { type ChannelSession, LeaseLost, type SessionHost } from '../../driver.ts'
import { cloudTopic } from '../../features/cloud/cloud.events.ts'
import { type Graph, GraphRefusal, GraphSilence, openGraph } from '../../features/cloud/cloud.graph.ts'
import type { CloudRow } from '../../features/connections/connections.cloud.ts'
import type { Platform } from '../../platform/app.ts'
import { createArrivals } from './arrivals.ts'
import { type Policy, policyOf } from './errors.ts'
import { askHealth, askTokenEnd } from './health.ts'
import { download } from './media.ts'
import { createPace, HIGH, STANDARD } from './pace.ts'
import { createCloudSender } from './send.ts'
import { openStore, type SessionStore } from './store.ts'

/** How often it looks for deliveries by itself: a nudge may be lost. */
const LOOK_MS = 1_000
/** A harmless question now and then, so that no message is the first to find the line broken. */
const BEAT_MS = 30_000
/** The same while people talk, who would notice. */
const BUSY_BEAT_MS = 8_000
const BUSY_MS = 60_000
/** How often what Meta thinks of the number is written down, changed or not. */
const HEALTH_MS = 10 * 60_000
/** How often the moment of the last webhook is. */
const WEBHOOK_MS = 60_000
const MOST_WAIT_MS = 60_000

const connected = { status: 'CONNECTED', statusReason: '', qrcode: '', pairingCode: '', retries: 0 } as const

export async function openCloudSession(host: SessionHost, platform: Platform): Promise<ChannelSession> {
  const store = openStore(platform, host.companyId, host.whatsappId)
  const settings = await store.settings()
  if (!settings) {
    await host.report({ status: 'DISCONNECTED', statusReason: 'ERR_WAPP_CLOUD_TOKEN' })
    return closedSession
  }
  const { graphApiUrl: url, outboundAllow } = platform.config
  const graph = openGraph({ url, outboundAllow, token: settings.accessToken })
  return runSession(host, platform, store, graph, settings)
}

/** Without settings there is nothing to run; an admin enters them and starts anew. */
const closedSession: ChannelSession = {
  ready: () => false,
  send: async () => ({ is: 'unknown', reason: 'closed' }),
  act: async () => ({ is: 'unknown', reason: 'closed' }),
  download: async () => {
    throw new Error('closed')
  },
  markRead: async () => {},
  type: async () => {},
  close: async () => {},
}

function runSession(
  host: SessionHost,
  { signals, log: parent }: Platform,
  store: SessionStore,
  graph: Graph,
  { phoneNumberId, businessAccountId, accessToken }: CloudRow,
): ChannelSession {
  const { whatsappId } = host
  const log = parent.child({ companyId: host.companyId, whatsappId })
  const pace = createPace()
  let state: 'opening' | 'on' | 'ended' | 'closed' = 'opening'
  let failures = 0
  let toldAt = 0
  let busyAt = 0
  let toldText = ''
  let toldWebhook: string | null = null
  let reason = ''
  const drained = Promise.withResolvers<void>()

  const sender = createCloudSender({ graph, store, pace, phoneNumberId, businessAccountId, troubled })
  const arrivals = createArrivals({ host, store, phoneNumberId, log, onAccount })

  function onAccount(fields: string[]) {
    if (fields.some(field => field.includes('template'))) sender.forgetTemplates()
    toldAt = 0
    beat.soon()
  }

  function troubled(how: 'silent' | Policy, what: string) {
    if (how === 'silent') void lineBroke(what)
    if (how === 'auth') void end(what)
    if (how === 'blocked') void note(what)
  }

  const note = (what: string) => {
    reason = what
    return store
      .tell({ lastError: what, lastErrorAt: new Date().toISOString() })
      .catch(error => log.warn({ err: error }, 'what Meta said was not noted'))
  }

  async function lineBroke(what: string) {
    if (state !== 'on') return
    state = 'opening'
    log.warn({ reason: what }, 'Meta does not answer')
    await host.report({ status: 'OPENING' }).catch(failed)
    beat.soon()
  }

  /** The token is no good: nothing more is asked until an admin gives another. What arrives is still taken in. */
  async function end(what: string) {
    if (state === 'ended' || state === 'closed') return
    state = 'ended'
    await note(what)
    await host.report({ status: 'DISCONNECTED', statusReason: what }).catch(failed)
  }

  async function ask() {
    if (state === 'ended' || state === 'closed') return
    try {
      const { number, learnt } = await askHealth(graph, phoneNumberId)
      failures = 0
      pace.limit(learnt.throughput === 'HIGH' ? HIGH : STANDARD)
      await tellHealth(learnt)
      if (state !== 'opening') return
      await subscribe()
      // What a lost answer would have told may stand among what arrived meanwhile.
      await drained.promise
      if (state !== 'opening') return
      state = 'on'
      await host.report({ ...connected, number })
    } catch (error) {
      if (error instanceof LeaseLost) throw error
      if (!(error instanceof GraphRefusal || error instanceof GraphSilence)) return failed(error)
      failures++
      const { policy, reason: why } =
        error instanceof GraphRefusal ? policyOf(error) : { policy: 'again' as const, reason: error.message }
      if (policy === 'auth' || isStranger(error)) return end('ERR_WAPP_CLOUD_TOKEN')
      if (state === 'on') return lineBroke(why)
      await host.report({ status: 'OPENING', retries: failures })
    }
  }

  /** Written when it changed, and now and then so that its admin sees that somebody looks. */
  async function tellHealth(learnt: Partial<CloudRow>) {
    const text = JSON.stringify(learnt)
    const webhook = arrivals.lastWebhookAt()
    const isNew = text !== toldText || state === 'opening'
    const due = toldAt + (webhook === toldWebhook ? HEALTH_MS : WEBHOOK_MS)
    if (!isNew && Date.now() < due) return
    const checkedAt = new Date().toISOString()
    const tokenExpiresAt = await askTokenEnd(graph, accessToken)
    await store.tell({
      ...learnt,
      tokenExpiresAt,
      checkedAt,
      ...(webhook && { lastWebhookAt: webhook }),
      ...(reason === '' && { lastError: '', lastErrorAt: null }),
    })
    toldText = text
    toldWebhook = webhook
    toldAt = Date.now()
    reason = ''
  }

  /** Without it Meta calls nobody. A token that may not do it may still send; the admin reads why nothing comes in. */
  async function subscribe() {
    await graph.post(`${businessAccountId}/subscribed_apps`, {}).catch(error => {
      if (error instanceof GraphRefusal) return note(policyOf(error).reason)
      throw error
    })
  }

  async function drain() {
    while (state !== 'closed' && (await arrivals.workOff())) busy()
    drained.resolve()
  }

  function busy() {
    const wasQuiet = Date.now() - busyAt > BUSY_MS
    busyAt = Date.now()
    if (wasQuiet) beat.soon()
  }

  const failed = (error: unknown) => {
    if (error instanceof LeaseLost) state = 'closed'
    else log.warn({ err: error }, 'the session will look again')
  }
  const wait = () =>
    state === 'opening'
      ? Math.min(500 * 2 ** Math.min(failures, 10), MOST_WAIT_MS)
      : Date.now() - busyAt < BUSY_MS
        ? BUSY_BEAT_MS
        : BEAT_MS
  const beat = repeated(ask, wait, failed)
  const look = repeated(drain, () => LOOK_MS, failed)
  const deafen = signals.listen(cloudTopic(whatsappId), look.soon)
  void host.report({ status: 'OPENING' }).then(beat.soon, failed)
  look.soon()

  return {
    ready: () => state === 'on' && pace.open(),
    send(message) {
      busy()
      return sender.send(message)
    },
    act: sender.act,
    download: source => download(graph, source),
    async markRead(_chat, read) {
      const last = read.findLast(one => one.externalId.startsWith('wamid.'))
      if (last) await tellRead(last.externalId)
    },
    async type(chat, what) {
      const last = arrivals.lastOf(chat.value) ?? (chat.also && arrivals.lastOf(chat.also.value))
      if (last && what !== 'paused') await tellRead(last.externalId, true)
    },
    async close() {
      state = 'closed'
      drained.resolve()
      deafen()
      await Promise.all([beat.stop(), look.stop()])
      await graph.close()
    },
  }

  /** Meta marks everything before it too; typing is shown for 25 seconds or until an answer. */
  async function tellRead(messageId: string, isTyping = false) {
    if (state !== 'on') return
    const call = {
      messaging_product: 'whatsapp',
      status: 'read',
      message_id: messageId,
      ...(isTyping && { typing_indicator: { type: 'text' } }),
    }
    await graph.post(`${phoneNumberId}/messages`, call).catch(error => {
      if (error instanceof GraphSilence) troubled('silent', error.message)
      throw error
    })
  }
}

/** There is no such number for this token, which Meta tells like a token that may not. */
const isStranger = (error: unknown) => error instanceof GraphRefusal && error.code === 100

/** Does something again and again, never twice at once; `soon` makes it happen now. */
function repeated(work: () => Promise<void>, wait: () => number, failed: (error: unknown) => void) {
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> | null = null
  let again = false
  let stopped = false
  async function run() {
    do {
      again = false
      await work().catch(failed)
    } while (again && !stopped)
  }
  function soon() {
    if (stopped) return
    clearTimeout(timer)
    again = true
    running ??= run().finally(() => {
      running = null
      if (!stopped) timer = setTimeout(soon, wait())
    })
  }
  return {
    soon,
    async stop() {
      stopped = true
      clearTimeout(timer)
      await running
    },
  }
}
