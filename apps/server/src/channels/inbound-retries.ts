import { type ChannelSession, Gone, type InboundEvent, LeaseLost } from '../driver.ts'
import { inboundLogged } from '../features/messageLogs/messageLogs.events.ts'
import { noteFailure, unhandledInbound } from '../features/messages/inbound/inbound.queries.ts'
import { isConnectionFailure } from '../platform/errors.ts'
import { newTrace, traced } from '../platform/observe/trace.ts'
import { patience, pauseAfter } from '../platform/work/retries.ts'
import type { ChannelConnection } from './connection.ts'
import { applyEvents } from './inbound.ts'
import { fetchInto } from './media.ts'

/** Profile pictures that are fetched at once. */
const PICTURES_AT_ONCE = 4

/**
 * Handles events that were logged only, each row by itself, oldest first; a failing chat does not delay the others.
 * Pictures are fetched in parallel.
 */
export async function retryInbound(connection: ChannelConnection, session: ChannelSession): Promise<void> {
  const fetchFile = fetchInto(connection, session)
  const stuck = new Set<string>()
  const { scope, whatsappId, log } = connection
  const busy = connection.fetching.pictures
  // those under way are due until they are done
  const pictures = PICTURES_AT_ONCE + busy.size
  for (const row of await scope.list(tx => unhandledInbound(tx, whatsappId, pictures))) {
    const event = JSON.parse(row.event) as InboundEvent
    const picture = event.kind === 'profile' ? event.picture : null
    if (picture) {
      if (busy.size >= PICTURES_AT_ONCE || busy.has(row.id)) continue
      busy.add(row.id)
      void traced(newTrace(), () => handleAgain(connection, row, event, () => fetchFile(picture)))
        .catch((error: unknown) => {
          if (!(error instanceof LeaseLost)) log.warn({ err: error }, 'a picture will be fetched again')
          return false
        })
        .then(isHandled => {
          busy.delete(row.id)
          if (isHandled) connection.wake('inbound')
        })
    } else if (!stuck.has(row.chat)) {
      const isHandled = await traced(newTrace(), () => handleAgain(connection, row, event, null))
      if (!isHandled) stuck.add(row.chat)
    }
  }
}

type Unhandled = Awaited<ReturnType<typeof unhandledInbound>>[number]

async function handleAgain(
  { scope, whatsappId, write, log }: ChannelConnection,
  { id, key, attempts }: Unhandled,
  event: InboundEvent,
  fetchPicture: (() => Promise<string>) | null,
): Promise<boolean> {
  try {
    const address = fetchPicture ? await fetchPicture() : null
    await write(tx => applyEvents(tx, whatsappId, [event], { picture: address }))
    return true
  } catch (error) {
    if (error instanceof LeaseLost || isConnectionFailure(error)) throw error
    log.warn({ err: error, whatsappId, key }, 'an inbound event could not be handled')
    await scope.transaction(async tx => {
      const how = fetchPicture ? patience.picture : patience.news
      const inMs =
        error instanceof Gone
          ? null
          : pauseAfter(how, 'recipient', { attempts: attempts + 1, counted: attempts + 1 })
      const [tried] = await noteFailure(tx, id, error, inMs)
      if (tried) tx.emit(inboundLogged, { row: tried, again: true })
    })
    return false
  }
}
