import { LOGS_WATCHED_MS } from '@balcao/contract/messageLogs.ts'
import type { Platform, Role } from '../../platform/app.ts'
import { type HasMemory, perProduct } from '../../platform/memory.ts'

const TOPIC = 'messageLogs:watched'

/** Until when events are pushed, by the signals that this process received. */
const watched = perProduct(() => ({ until: 0 }))

/** A master opened the log: events are pushed until its next refresh is due. */
export const noteWatching = ({ signals }: Pick<Platform, 'signals'>) => signals.notify(TOPIC)

export const isWatched = (product: HasMemory): boolean => performance.now() < watched(product).until

/** Runs in each process, since each may receive inbound events. */
export const logsWatched: Role = {
  name: 'any',
  async start(platform) {
    const unlisten = platform.signals.listen(TOPIC, () => {
      watched(platform).until = performance.now() + LOGS_WATCHED_MS
    })
    return { stop: async () => unlisten() }
  },
}
