import {
  type ChannelSession,
  type CheckLease,
  type Driver,
  type InboundEvent,
  LeaseLost,
  type SessionHost,
} from '../driver.ts'
import { keyRows } from '../features/connections/connections.keys.queries.ts'
import {
  type Fence,
  fenceOf,
  isHeld,
  type Lease,
  checkLease as readLease,
} from '../features/connections/connections.leases.queries.ts'
import { reportSession } from '../features/connections/connections.session.actions.ts'
import {
  acceptsGroups,
  replaceDesired,
  type Wanted,
} from '../features/connections/connections.session.queries.ts'
import { resume, stage } from '../features/imports/imports.actions.ts'
import { wantedHistory } from '../features/imports/imports.queries.ts'
import { keyOf } from '../features/messages/inbound/inbound.rules.ts'
import { outgoingContentOf } from '../features/messages/outbox/content.rules.ts'
import { failWaiting } from '../features/messages/outbox/receipts.actions.ts'
import { sentContent } from '../features/messages/outbox/waiting.queries.ts'
import { customerTypes } from '../features/messages/thread/typing.actions.ts'
import type { Platform } from '../platform/app.ts'
import { newTrace, traced } from '../platform/observe/trace.ts'
import { batching } from '../platform/work/group-commit.ts'
import { openQueue } from '../platform/work/serial-queue.ts'
import { receiveInbound } from './inbound.ts'
import { voiceNotesOf } from './voice-notes/voice-notes.ts'
import { ConnectionWork } from './work.ts'

/** Batches of one commit: chats that receive at the same time share it, and none waits long for the others. */
const BATCHES = 20

/** One connection in the process that holds its lease. Orders are carried out one after the other. */
export interface ConnectionRunner {
  lease: Lease
  /** The last order that was carried out. */
  order: number
  carryOut(order: { number: number; wanted: Wanted; pairNumber: string }): Promise<void>
  /** Looks for work in the rows of the connection. */
  look(): void
  /** The lease is lost, or the session did not open: to be dropped, and opened again. */
  isLost(): boolean
  /** Ends it here without logging out: the lease is lost or the process stops. */
  drop(): Promise<void>
}

export function openRunner(
  platform: Platform,
  driver: Driver,
  owner: string,
  lease: Lease,
): ConnectionRunner {
  const { companyId, whatsappId } = lease
  const { secrets, files } = platform
  const scope = platform.scopes.promised(companyId)
  let lost = false
  const stillOurs = fenceOf(owner, lease)
  const onLost = (error: unknown): never => {
    lost ||= error instanceof LeaseLost
    throw error
  }
  const owns = () => {
    lost ||= !isHeld(lease)
    return !lost
  }
  const fence: Fence = tx => stillOurs(tx).catch(onLost)
  const checkLease = leaseCheck(readLease(scope, owner, lease), owns, onLost)
  const log = platform.log.child({ companyId, whatsappId })
  const at = { scope, whatsappId, fence, checkLease, log }
  let session: ChannelSession | null = null
  const queue = openQueue()
  const serialize = (work: () => Promise<void>) =>
    queue(work).catch(error => {
      // a session that opened in part receives nothing: it is opened again
      lost = true
      if (!(error instanceof LeaseLost))
        log.error({ err: error }, 'a connection could not do what it was asked for')
    })

  const received = batching((batches: InboundEvent[][]) => receiveInbound(at, secrets, batches), BATCHES)

  const host = (pairNumber: string): SessionHost => ({
    companyId,
    whatsappId,
    pairNumber,
    owns,
    write: work =>
      scope.transaction(async tx => {
        await fence(tx)
        return work(tx)
      }),
    acceptsGroups: () => scope.read(tx => acceptsGroups(tx, whatsappId)),
    history: () => scope.read(tx => wantedHistory(tx, whatsappId)),
    stage: (old, isLast) =>
      scope.transaction(async tx => {
        await fence(tx)
        await stage(tx, secrets, whatsappId, old, { isLast })
      }),
    receive: events =>
      traced(newTrace(), async () => {
        log.debug({ events: events.map(keyOf) }, 'events were received')
        const isIncomplete = await received(events)
        work.afterReceiving({
          isIncomplete,
          hasFile: events.some(one => one.kind === 'message' && one.file),
        })
      }),
    report: async state => {
      await scope.transaction(async tx => {
        await fence(tx)
        await reportSession(tx, secrets, whatsappId, state)
        if (state.status === 'DISCONNECTED')
          await failWaiting(tx, whatsappId, state.statusReason || 'ERR_WAPP_NOT_INITIALIZED')
        if (state.status === 'CONNECTED') setImmediate(work.lookAround)
      })
      if (state.status) logState(state.status, state.statusReason)
    },
    sent: externalId =>
      scope.read(async tx => {
        const row = await sentContent(tx, whatsappId, externalId)
        if (!row) return null
        const { body, isForwarded } = row
        return { body, isForwarded, content: outgoingContentOf(row, files, companyId) }
      }),
    voiceNote: ({ media, open }) => voiceNotesOf(platform)({ companyId, type: media.type, open }),
    typing: (chat, state) =>
      void scope
        .read(tx => customerTypes(tx, whatsappId, chat, state))
        .catch(error => log.warn({ err: error }, 'typing was not announced')),
    keys: keyRows(platform, companyId, whatsappId, fence),
  })

  let logged = ''
  function logState(status: string, reason = '') {
    if (`${status} ${reason}` !== logged) log.info({ status, reason }, 'the connection changed its state')
    logged = `${status} ${reason}`
  }

  async function close(logout: boolean) {
    const closing = session
    session = null
    await closing?.close({ logout })
  }

  const work = new ConnectionWork(platform, at, () => session)
  resume(scope, whatsappId).catch(error => log.warn({ err: error }, 'an import waits'))
  const runner: ConnectionRunner = {
    lease,
    order: -1,
    look: () => void work.lookAround(),
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
        void work.lookAround()
      }),
    drop: () =>
      serialize(async () => {
        work.stop()
        await close(false)
      }),
  }

  /** An order that must not be carried out twice is replaced by its result, unless a newer one came. */
  const settled = (order: number, wanted: Wanted) =>
    scope.transaction(tx => replaceDesired(tx, whatsappId, order, wanted))

  return runner
}

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
