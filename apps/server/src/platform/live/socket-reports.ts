import { channelName } from '@balcao/contract/kit.ts'
import type { Logger } from 'pino'
import type { Scopes } from '../scope.ts'
import type { Reports, ReportTools, Screen } from './live.ts'
import type { LiveSocket } from './push.ts'

interface Deps {
  scopes: Scopes
  log: Logger
  tools: ReportTools
  /** One after the other, as everything that the socket asks. */
  serialize: <T>(work: () => Promise<T>) => Promise<T>
}

/** Gives what a socket reports to the features that follow it, until it closes. */
export function followReports(socket: LiveSocket, all: Reports[], { scopes, log, tools, serialize }: Deps) {
  if (all.length === 0 || socket.data.viewer.visitId !== undefined) return
  const screen = screenOf(socket, scopes)
  for (const { opened, events } of all) {
    for (const [name, received] of Object.entries(events))
      socket.on(
        name,
        (reported: unknown) =>
          void serialize(async () => {
            if (socket.connected) await received(screen, reported, tools)
          }).catch(error => log.warn({ err: error, event: name }, 'a report of a screen failed')),
      )
    opened(screen, tools)
  }
  socket.on('disconnect', () => {
    for (const { closed } of all) closed(screen, tools)
  })
}

const screenOf = (socket: LiveSocket, scopes: Scopes): Screen => {
  const { companyId } = socket.data.claims
  return {
    id: socket.id,
    companyId,
    viewer: () => socket.data.viewer,
    scope: () => scopes.inCompany(companyId, socket.data.viewer, socket.id),
    push: (channel, payload) =>
      void socket.emit(channelName(channel, companyId), channel.payload.parse(payload)),
  }
}
