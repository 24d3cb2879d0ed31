import type { Driver } from '../driver.ts'
import type { Lease } from '../features/connections/connections.leases.queries.ts'
import { resume } from '../features/imports/imports.actions.ts'
import { mediaTopic, operationTopic, outboxTopic } from '../features/messages/messages.events.ts'
import { localSenders } from '../features/messages/outbox/leaving.actions.ts'
import type { Platform } from '../platform/app.ts'
import { ChannelConnection, type Parts } from './connection.ts'
import { hostOf } from './host.ts'
import { retryInbound } from './inbound-retries.ts'
import { fetchDueMedia } from './media.ts'
import { listenToNotices } from './notices.ts'
import { runOperations } from './operations.ts'
import { localSenderOf, sendQueued } from './outbox.ts'

/** A connection whose lease this process (`owner`) has claimed; orders open its session. */
export function openConnection(
  platform: Platform,
  driver: Driver,
  owner: string,
  lease: Lease,
): ChannelConnection {
  const connection = new ChannelConnection(platform, owner, lease, { driver, ...parts })
  const { scope, whatsappId, log } = connection
  resume(scope, whatsappId).catch(error => log.warn({ err: error }, 'an import waits'))
  return connection
}

const parts: Omit<Parts, 'driver'> = {
  host: hostOf,
  work: { outbox: sendQueued, operations: runOperations, inbound: retryInbound, files: fetchDueMedia },
  listen(connection) {
    const { platform, whatsappId, traces, wake } = connection
    const { signals } = platform
    const remember = (messageId: unknown, trace: string | undefined) => {
      if (trace) traces.set(String(messageId), trace)
    }
    return [
      signals.listen(outboxTopic(whatsappId), (messageId, trace) => {
        remember(messageId, trace)
        wake('outbox')
      }),
      signals.listen(operationTopic(whatsappId), (messageId, trace) => {
        remember(messageId, trace)
        wake('operations')
      }),
      signals.listen(mediaTopic(whatsappId), () => wake('files')),
      ...listenToNotices(connection),
      offerSender(connection),
    ]
  },
}

/** Users' messages leave over the connection as soon as they are stored. Answers what ends that. */
function offerSender(connection: ChannelConnection): () => void {
  const senders = localSenders(connection.scope, connection.scope.companyId)
  const sender = localSenderOf(connection)
  senders.set(sender.whatsappId, sender)
  return () => {
    if (senders.get(sender.whatsappId) === sender) senders.delete(sender.whatsappId)
  }
}
