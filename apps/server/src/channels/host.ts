import { isShownKind } from '@balcao/contract/kinds.rules.ts'
import type { InboundEvent, Incomplete, SessionHost, SessionState, Silence } from '../driver.ts'
import { keyRows } from '../features/connections/connections.keys.queries.ts'
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
import { isUnfit } from '../platform/errors.ts'
import { spanned } from '../platform/observe/spans.ts'
import { newTrace, traced } from '../platform/observe/trace.ts'
import { batching } from '../platform/work/group-commit.ts'
import { type AddressBook, addressBookOf } from './address-book.ts'
import type { ChannelConnection } from './connection.ts'
import { receiveInbound } from './inbound.ts'
import { linkPreviewsOf } from './link-previews.ts'
import { receivedFrom } from './received.ts'
import { voiceNotesOf } from './voice-notes/voice-notes.ts'

/** Batches of one commit: chats that receive at the same time share it, and none waits long for the others. */
const BATCHES = 20

/** What a driver gets for the connection; it is the same for each session but for the number to pair. */
export function hostOf(connection: ChannelConnection): (pairNumber: string) => SessionHost {
  const { platform, scope, whatsappId, fence, log, owns, write } = connection
  const { companyId } = scope
  const book = addressBookOf(connection)
  const inside: Omit<SessionHost, 'pairNumber'> = {
    ...{ companyId, whatsappId, owns, write },
    keepBook: book.keep,
    stage: stager(connection, book),
    acceptsGroups: () => scope.read(tx => acceptsGroups(tx, whatsappId)),
    history: () => scope.read(tx => wantedHistory(tx, whatsappId)),
    receive: receiver(connection, book),
    report: reporter(connection),
    restsUntil: () => scope.read(tx => restsUntil(tx, whatsappId)),
    restrict: async (until: string | null) => {
      await write(tx => restrictConnection(tx, whatsappId, until))
      connection.wake('outbox')
    },
    sent: sentIn(connection),
    voiceNote: ({ media: { type }, open }) => voiceNotesOf(platform).voiceNote({ companyId, type, open }),
    waveform: ({ media: { type }, open }) => voiceNotesOf(platform).waveform({ companyId, type, open }),
    recording: recorder(connection),
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

function receiver(connection: ChannelConnection, book: AddressBook): SessionHost['receive'] {
  const { platform, whatsappId, log, wake } = connection
  const { metrics } = platform
  const received = batching((batches: InboundEvent[][]) => receiveInbound(connection, batches), {
    most: BATCHES,
  })
  return given =>
    traced(newTrace(), () =>
      spanned(
        { kind: 'inbound', name: 'inbound events', facts: { 'balcao.connection': whatsappId } },
        async () => {
          const events = await book.name(given.map(receivedFrom))
          for (const { kind } of events) if (kind === 'strange') metrics.incomplete(whatsappId, kind)
          log.debug({ events: events.map(keyOf) }, 'events were received')
          const isIncomplete = await received(events)
          metrics.messages('in', events.filter(isFromCustomer).length)
          for (const one of events)
            if (one.kind === 'message' && !isShownKind(one.mediaType)) metrics.unknownKind()
          if (isIncomplete) wake('inbound')
          if (events.some(one => one.kind === 'message' && one.file)) wake('files')
        },
      ),
    )
}

/** So long (ms) nothing could be recorded before the screen of a connection says so, and then so often. */
const SHOWN_MS = 10_000

/** Follows whether a connection can record what it receives: for the metrics at once, for its screen after a while. */
function recorder({ platform, whatsappId, log, write }: ChannelConnection): SessionHost['recording'] {
  const { metrics } = platform
  let since: number | null = null
  let shownAt: number | null = null
  const show = (reason: Parameters<typeof reportRecording>[2]) =>
    write(tx => reportRecording(tx, whatsappId, reason)).catch(error =>
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
function stager(connection: ChannelConnection, book: AddressBook): SessionHost['stage'] {
  const { platform, whatsappId, log } = connection
  const { secrets, metrics } = platform
  type Old = Parameters<SessionHost['stage']>[0]
  const write = (old: Old, isLast: boolean) =>
    connection.write(tx => stage(tx, secrets, whatsappId, old, { isLast }))
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

function reporter({ platform, whatsappId, log, write, wake }: ChannelConnection): SessionHost['report'] {
  let logged = ''
  function logState({ status, statusReason: reason = '' }: Partial<SessionState>) {
    if (`${status} ${reason}` !== logged)
      log.info({ status, ...(reason && { reason }) }, 'the connection changed its state')
    logged = `${status} ${reason}`
  }
  return async state => {
    await write(async tx => {
      await reportSession(tx, platform.secrets, whatsappId, state)
      if (state.status === 'DISCONNECTED' && endsSession(state))
        while (await failWaiting(tx, whatsappId, state.statusReason || 'ERR_WAPP_NOT_INITIALIZED'));
      if (state.status === 'CONNECTED') setImmediate(() => wake())
    })
    if (state.status) logState(state)
  }
}

const sentIn =
  ({ platform, scope, whatsappId }: ChannelConnection): SessionHost['sent'] =>
  externalId =>
    scope.read(async tx => {
      const row = await sentContent(tx, whatsappId, externalId)
      if (!row) return null
      const { body, isForwarded } = row
      return { body, isForwarded, content: outgoingContentOf(row, platform.files, scope.companyId) }
    })
