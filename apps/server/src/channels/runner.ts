import { LRUCache } from 'lru-cache'
import { type ChannelSession, type Driver, type Heard, LeaseLost, type SessionHost } from '../driver.ts'
import { type NumberAsked, numberAskedTopic } from '../features/connections/connections.events.ts'
import { keyRows } from '../features/connections/connections.keys.ts'
import { type Fence, fenceOf, isHeld, type Lease } from '../features/connections/connections.leases.ts'
import { acceptsGroups, reportSession } from '../features/connections/connections.session.ts'
import { replaceWish, type Wanted } from '../features/connections/connections.wishes.ts'
import { findChat } from '../features/contacts/contacts.queries.ts'
import { wantedHistory } from '../features/imports/imports.queries.ts'
import { resume, stage } from '../features/imports/imports.stage.ts'
import { mediaTopic, operationTopic, outboxTopic } from '../features/messages/messages.events.ts'
import { keyOf } from '../features/messages/messages.heard.ts'
import { type ReadNotice, readTopic } from '../features/messages/messages.read.ts'
import { failWaiting } from '../features/messages/messages.receive.ts'
import { customerTypes, type TypeNotice, typeTopic } from '../features/messages/messages.typing.ts'
import { sentMessage } from '../features/messages/messages.waiting.ts'
import type { Platform } from '../platform/app.ts'
import { batching } from '../platform/batching.ts'
import { openQueue } from '../platform/queue.ts'
import { newTrace, traced } from '../platform/trace.ts'
import { catchUp, receiveInbound } from './inbound.ts'
import { fetchDueMedia, fetchInto } from './media.ts'
import { tellNumber } from './numbers.ts'
import { runOperations } from './operations.ts'
import { sendQueued } from './outbox.ts'
import { openPresence } from './presence.ts'

/** Of so many messages that wait it is known what they followed from. */
const TRACES = 5_000

/** How often a line looks after what waits by itself. */
const LOOK_MS = 2_000

/** One connection as the process that owns it runs it. What is asked of it happens one after the other. */
export interface ConnectionRunner {
  lease: Lease
  /** The last order of its admin that was carried out. */
  order: number
  carryOut(order: { number: number; wanted: Wanted; pairNumber: string }): Promise<void>
  /** Somebody here took the lease for lost, or it did not open: to be dropped, and opened anew. */
  isLost(): boolean
  /** Ends it here without a word to the network: the lease is gone or the process stops. */
  drop(): Promise<void>
}

export function openRunner(
  platform: Platform,
  driver: Driver,
  owner: string,
  lease: Lease,
): ConnectionRunner {
  const { companyId, whatsappId } = lease
  const scope = platform.scopes.promised(companyId)
  let lost = false
  const stillOurs = fenceOf(owner, lease)
  const fence: Fence = tx =>
    stillOurs(tx).catch(error => {
      lost ||= error instanceof LeaseLost
      throw error
    })
  const log = platform.log.child({ companyId, whatsappId })
  const at = { scope, whatsappId, fence, log }
  let session: ChannelSession | null = null
  const queue = openQueue()
  const serialize = (work: () => Promise<void>) =>
    queue(work).catch(error => {
      // half opened it would stay deaf: whatever the reason was, it is opened anew
      lost = true
      if (!(error instanceof LeaseLost))
        log.error({ err: error }, 'a connection could not do what it was asked for')
    })

  /** Chats that are heard at the same time share a commit; few enough that none of them waits long for the others. */
  const heard = batching((pieces: Heard[][]) => receiveInbound(at, platform.secrets, pieces), 20)

  const host = (pairNumber: string): SessionHost => ({
    companyId,
    whatsappId,
    pairNumber,
    owns() {
      lost ||= !isHeld(lease)
      return !lost
    },
    takesGroups: () => scope.read(tx => acceptsGroups(tx, whatsappId)),
    history: () => scope.read(tx => wantedHistory(tx, whatsappId)),
    stage: (old, isLast) =>
      scope.transaction(async tx => {
        await fence(tx)
        await stage(tx, platform.secrets, whatsappId, old, isLast)
      }),
    hear: incoming =>
      traced(newTrace(), async () => {
        log.debug({ heard: incoming.map(keyOf) }, 'the network told something')
        if (await heard(incoming)) behind = true
        if (behind) void look()
        if (incoming.some(one => one.kind === 'message' && one.file)) void fetchDue()
      }),
    report: async state => {
      await scope.transaction(async tx => {
        await fence(tx)
        await reportSession(tx, platform.secrets, whatsappId, state)
        if (state.status === 'DISCONNECTED')
          await failWaiting(tx, whatsappId, state.statusReason || 'ERR_WAPP_NOT_INITIALIZED')
        if (state.status === 'CONNECTED') setImmediate(lookAround)
      })
      if (state.status) tell(state.status, state.statusReason)
    },
    sent: externalId => scope.read(tx => sentMessage(tx, platform.files, whatsappId, externalId)),
    typing: (chat, state) =>
      void scope
        .read(tx => customerTypes(tx, whatsappId, chat, state))
        .catch(error => log.warn({ err: error }, 'typing was not told')),
    keys: keyRows(platform, companyId, whatsappId, fence),
  })

  let said = ''
  /** How the connection stands, when that is another way than before. */
  function tell(status: string, reason = '') {
    if (`${status} ${reason}` !== said) log.info({ status, reason }, 'the connection changed its state')
    said = `${status} ${reason}`
  }

  async function close(logout: boolean) {
    const closing = session
    session = null
    await closing?.close({ logout })
  }

  let behind = true
  let asked = true
  const slowChats = new Set<number>()
  const traces = new LRUCache<string, string>({ max: TRACES })
  const presence = openPresence(() => void look())
  const look = oneAtATime(async open => {
    const here = { ...platform, ...at, companyId, session: open, traces, presence }
    // Each flag falls before its work: who raises it meanwhile wants another round. One that fails is looked at by time.
    if (behind) {
      behind = false
      await catchUp(at, fetchInto(here))
    }
    await sendQueued(here, slowChats, () => void look())
    // behind the messages: what is done to one that has not left waits for it
    if (asked) {
      asked = false
      await runOperations(here)
    }
  })
  /** Beside the outbox: a film takes minutes, an answer must not. */
  const fetching = new Set<string>()
  const fetchDue = oneAtATime(open =>
    fetchDueMedia({ ...platform, ...at, session: open }, fetching, () => void fetchDue()),
  )

  /** Asked again while it works, it works once more; it ends when there is no session. */
  function oneAtATime(work: (open: ChannelSession) => Promise<void>) {
    let working = false
    let wake = false
    return async () => {
      wake = true
      if (working) return
      working = true
      try {
        while (wake && session) {
          wake = false
          await traced(undefined, () => work(session!))
        }
      } catch (error) {
        if (!(error instanceof LeaseLost)) log.warn({ err: error }, 'a connection will look again')
      } finally {
        working = false
      }
    }
  }

  /** Besides what it is woken for, news that could not be handled at first. */
  const lookAround = () => {
    behind = true
    asked = true
    return Promise.all([look(), fetchDue()])
  }

  const remember = (messageId: unknown, trace: string | undefined) =>
    trace && traces.set(String(messageId), trace)

  resume(scope, whatsappId).catch(error => log.warn({ err: error }, 'an import waits'))
  const timer = setInterval(lookAround, LOOK_MS)
  const deafen = [
    platform.signals.listen(outboxTopic(whatsappId), (messageId, trace) => {
      remember(messageId, trace)
      return look()
    }),
    platform.signals.listen(operationTopic(whatsappId), (messageId, trace) => {
      remember(messageId, trace)
      asked = true
      return look()
    }),
    platform.signals.listen(mediaTopic(whatsappId), fetchDue),
    platform.signals.listen(readTopic(whatsappId), notice => void tellRead(notice as ReadNotice)),
    platform.signals.listen(typeTopic(whatsappId), notice => void tellTyping(notice as TypeNotice)),
    platform.signals.listen(
      numberAskedTopic(whatsappId),
      asked => session && tellNumber(platform, session, asked as NumberAsked),
    ),
  ]

  async function tellTyping({ contactId, state }: TypeNotice) {
    const chat = await scope.read(tx => findChat(tx, contactId))
    if (chat && session?.ready())
      await session.type(chat, state).catch(error => log.warn({ err: error }, 'typing was not told'))
  }

  async function tellRead({ contactId, messages }: ReadNotice) {
    const chat = await scope.read(tx => findChat(tx, contactId))
    if (chat && session?.ready())
      await session
        .markRead(
          chat,
          messages.map(({ externalId, author }) => ({
            externalId,
            fromMe: false,
            ...(author && { author: { kind: author.kind, value: author.value } }),
          })),
        )
        .catch(error => log.warn({ err: error }, 'read was not told'))
  }

  const runner: ConnectionRunner = {
    lease,
    order: -1,
    isLost: () => lost,
    carryOut: ({ number, wanted, pairNumber }) =>
      serialize(async () => {
        runner.order = number
        await close(wanted === 'logout')
        if (wanted === 'renew' || wanted === 'logout') await host('').keys.clear()
        if (wanted === 'renew') await settled(number, 'on')
        if (wanted === 'logout') {
          await host('').report({
            status: 'DISCONNECTED',
            statusReason: '',
            qrcode: '',
            pairingCode: '',
            number: '',
            retries: 0,
          })
          await settled(number, 'off')
        }
        if (wanted === 'on' || wanted === 'renew') session = await driver.open(host(pairNumber))
        void lookAround()
      }),
    drop: () =>
      serialize(async () => {
        clearInterval(timer)
        presence.stop()
        for (const stop of deafen) stop()
        await close(false)
      }),
  }

  /** A wish that must not be carried out twice is replaced by what it led to, unless a newer one came. */
  const settled = (order: number, wanted: Wanted) =>
    scope.transaction(tx => replaceWish(tx, whatsappId, order, wanted))

  return runner
}
