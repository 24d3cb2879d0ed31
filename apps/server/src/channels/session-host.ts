import { isShownKind } from '@balcao/contract/kinds.rules.ts'
import type { Logger } from 'pino'
import {
  type CheckLease,
  type InboundEvent,
  type Incomplete,
  LeaseLost,
  type SessionHost,
  type SessionState,
  type Silence,
} from '../driver.ts'
import { keyRows } from '../features/connections/connections.keys.queries.ts'
import {
  type Fence,
  fenceOf,
  isHeld,
  type Lease,
  checkLease as readLease,
} from '../features/connections/connections.leases.queries.ts'
import {
  endsSession,
  reportRecording,
  reportSession,
  restrictConnection,
} from '../features/connections/connections.session.actions.ts'
import { acceptsGroups, restsUntil } from '../features/connections/connections.session.queries.ts'
import { stage } from '../features/imports/imports.actions.ts'
import { wantedHistory } from '../features/imports/imports.queries.ts'
import { keyOf } from '../features/messages/inbound/inbound.rules.ts'
import { outgoingContentOf } from '../features/messages/outbox/content.rules.ts'
import { failWaiting } from '../features/messages/outbox/receipts.actions.ts'
import { sentContent } from '../features/messages/outbox/waiting.queries.ts'
import { customerTypes } from '../features/messages/thread/typing.actions.ts'
import type { Platform } from '../platform/app.ts'
import { isUnfit } from '../platform/errors.ts'
import { newTrace, traced } from '../platform/observe/trace.ts'
import type { Scope, Tx } from '../platform/scope.ts'
import { batching } from '../platform/work/group-commit.ts'
import { type AddressBook, addressBookOf } from './address-book.ts'
import { receiveInbound } from './inbound.ts'
import { linkPreviewsOf } from './link-previews.ts'
import { receivedFrom } from './received.ts'
import { voiceNotesOf } from './voice-notes/voice-notes.ts'
import type { ConnectionWork } from './work.ts'

/** Batches of one commit: chats that receive at the same time share it, and none waits long for the others. */
const BATCHES = 20

/** A connection while this process holds its lease. */
export interface Holding {
  scope: Scope
  whatsappId: number
  fence: Fence
  checkLease: CheckLease
  log: Logger
  owns(): boolean
  /** Whether the lease was found lost, or given up by `lose`. */
  isLost(): boolean
  lose(): void
}

export function hold(platform: Platform, owner: string, lease: Lease): Holding {
  const { companyId, whatsappId } = lease
  const scope = platform.scopes.promised(companyId)
  const stillOurs = fenceOf(owner, lease)
  let isLost = false
  const onLost = (error: unknown): never => {
    isLost ||= error instanceof LeaseLost
    throw error
  }
  const owns = () => {
    isLost ||= !isHeld(lease)
    return !isLost
  }
  return {
    scope,
    whatsappId,
    fence: tx => stillOurs(tx).catch(onLost),
    checkLease: leaseCheck(readLease(scope, owner, lease), owns, onLost),
    log: platform.log.child({ companyId, whatsappId }),
    owns,
    isLost: () => isLost,
    lose() {
      isLost = true
    },
  }
}

/** What a driver gets for the connection; it is the same for each session but for the number to pair. */
export function hostOf(
  platform: Platform,
  holding: Holding,
  work: ConnectionWork,
): (pairNumber: string) => SessionHost {
  const { scope, whatsappId, fence, log, owns } = holding
  const { companyId } = scope
  const book = addressBookOf(holding, write => fenced(holding, write))
  const inside: Omit<SessionHost, 'pairNumber'> = {
    ...{ companyId, whatsappId, owns },
    keepBook: book.keep,
    write: <T>(of: (tx: Tx) => Promise<T>) => fenced(holding, of),
    stage: stager(platform, holding, book),
    acceptsGroups: () => scope.read(tx => acceptsGroups(tx, whatsappId)),
    history: () => scope.read(tx => wantedHistory(tx, whatsappId)),
    receive: receiver(platform, holding, { work, book }),
    report: reporter(platform, holding, work),
    restsUntil: () => scope.read(tx => restsUntil(tx, whatsappId)),
    restrict: async (until: string | null) => {
      await fenced(holding, tx => restrictConnection(tx, whatsappId, until))
      void work.lookAround()
    },
    sent: sentIn(platform, holding),
    voiceNote: ({ media: { type }, open }) => voiceNotesOf(platform).voiceNote({ companyId, type, open }),
    waveform: ({ media: { type }, open }) => voiceNotesOf(platform).waveform({ companyId, type, open }),
    recording: recorder(platform, holding),
    count: (what: Incomplete | Silence) => platform.metrics.incomplete(whatsappId, what),
    linkPreview: linkPreviewsOf(platform),
    typing: (...[chat, state]: Parameters<SessionHost['typing']>) =>
      void scope
        .read(tx => customerTypes(tx, whatsappId, chat, state))
        .catch(error => log.warn({ err: error }, 'typing was not announced')),
    keys: keyRows(platform, companyId, whatsappId, fence),
  }
  return pairNumber => ({ ...inside, pairNumber })
}

/** A transaction that holds the lease until its commit. */
const fenced = <T>({ scope, fence }: Holding, work: (tx: Tx) => Promise<T>): Promise<T> =>
  scope.transaction(async tx => {
    await fence(tx)
    return work(tx)
  })

function receiver(
  { secrets, metrics }: Platform,
  holding: Holding,
  { work, book }: { work: ConnectionWork; book: AddressBook },
): SessionHost['receive'] {
  const received = batching((batches: InboundEvent[][]) => receiveInbound(holding, secrets, batches), {
    most: BATCHES,
  })
  return given =>
    traced(newTrace(), async () => {
      const events = await book.name(given.map(receivedFrom))
      for (const { kind } of events) if (kind === 'strange') metrics.incomplete(holding.whatsappId, kind)
      holding.log.debug({ events: events.map(keyOf) }, 'events were received')
      const isIncomplete = await received(events)
      metrics.messages('in', events.filter(isFromCustomer).length)
      for (const one of events)
        if (one.kind === 'message' && !isShownKind(one.mediaType)) metrics.unknownKind()
      work.afterReceiving({ isIncomplete, hasFile: events.some(one => one.kind === 'message' && one.file) })
    })
}

/** So long (ms) nothing could be recorded before the screen of a connection says so, and then so often. */
const SHOWN_MS = 10_000

/** Follows whether a connection can record what it receives: for the metrics at once, for its screen after a while. */
function recorder({ metrics }: Platform, holding: Holding): SessionHost['recording'] {
  const { whatsappId, log } = holding
  let since: number | null = null
  let shownAt: number | null = null
  const show = (reason: Parameters<typeof reportRecording>[2]) =>
    fenced(holding, tx => reportRecording(tx, whatsappId, reason)).catch(error =>
      log.warn({ err: error }, 'it could not be shown whether a connection records'),
    )
  return error => {
    const now = performance.now()
    if (error === null) {
      if (since === null) return
      since = null
      metrics.unrecorded(whatsappId, null)
      if (shownAt !== null) void show('')
      shownAt = null
      return
    }
    since ??= now
    metrics.unrecorded(whatsappId, since)
    if (now - (shownAt ?? since) < SHOWN_MS) return
    shownAt = now
    void show('ERR_WAPP_NOT_RECORDING')
  }
}

/** Old messages, as the database takes them; of a slice that cannot be staged each is staged by itself. */
function stager({ secrets, metrics }: Platform, holding: Holding, book: AddressBook): SessionHost['stage'] {
  const { whatsappId, log } = holding
  type Old = Parameters<SessionHost['stage']>[0]
  const write = (old: Old, isLast: boolean) =>
    fenced(holding, tx => stage(tx, secrets, whatsappId, old, { isLast }))
  return async (given, isLast) => {
    const old = await book.nameOld(given.map(receivedFrom).filter(one => one.kind === 'message'))
    const refuse = (error: unknown) => {
      log.warn({ err: error }, 'an old message cannot be stored')
      metrics.incomplete(whatsappId, 'strange')
    }
    for (let at = old.length; at < given.length; at++) refuse(new Error('it could not be read'))
    await write(old, isLast).catch(async error => {
      if (!isUnfit(error)) throw error
      for (const one of old)
        await write([one], false).catch(why => (isUnfit(why) ? refuse(why) : Promise.reject(why)))
      if (isLast) await write([], true)
    })
  }
}

const isFromCustomer = (event: InboundEvent) => event.kind === 'message' && !event.fromMe

function reporter({ secrets }: Platform, holding: Holding, work: ConnectionWork): SessionHost['report'] {
  const { whatsappId, log } = holding
  let logged = ''
  function logState({ status, statusReason: reason = '' }: Partial<SessionState>) {
    if (`${status} ${reason}` !== logged)
      log.info({ status, ...(reason && { reason }) }, 'the connection changed its state')
    logged = `${status} ${reason}`
  }
  return async state => {
    await fenced(holding, async tx => {
      await reportSession(tx, secrets, whatsappId, state)
      if (state.status === 'DISCONNECTED' && endsSession(state))
        while (await failWaiting(tx, whatsappId, state.statusReason || 'ERR_WAPP_NOT_INITIALIZED'));
      if (state.status === 'CONNECTED') setImmediate(work.lookAround)
    })
    if (state.status) logState(state)
  }
}

const sentIn =
  ({ files }: Platform, { scope, whatsappId }: Holding): SessionHost['sent'] =>
  externalId =>
    scope.read(async tx => {
      const row = await sentContent(tx, whatsappId, externalId)
      if (!row) return null
      const { body, isForwarded } = row
      return { body, isForwarded, content: outgoingContentOf(row, files, scope.companyId) }
    })

/**
 * The check that drivers call when bytes leave: by the database's clock, one query for all messages that leave at the same
 * time, and after its answer by the process's own clock, so that a process that was frozen in between does not go on.
 */
function leaseCheck(
  query: () => Promise<void>,
  owns: () => boolean,
  onLost: (error: unknown) => never,
): CheckLease {
  const queried = batching(async (all: null[]) => {
    await query()
    return all
  })
  return async () => {
    await queried(null).catch(onLost)
    if (!owns()) throw new LeaseLost()
  }
}
