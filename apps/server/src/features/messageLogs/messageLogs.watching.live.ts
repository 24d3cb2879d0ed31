import { LOGS_WATCHED_MS } from '@balcao/contract/messageLogs.ts'
import type { Platform, Role } from '../../platform/app.ts'
import type { Signals } from '../../platform/live/signals.ts'

const TOPIC = 'messageLogs:watched'

/** Until when events are pushed, by the signals that this process received. */
const watchedUntil = new WeakMap<Signals, number>()

/** A master opened the log: events are pushed until its next refresh is due. */
export const noteWatching = ({ signals }: Pick<Platform, 'signals'>) => signals.notify(TOPIC)

export const isWatched = ({ signals }: Pick<Platform, 'signals'>): boolean =>
  performance.now() < (watchedUntil.get(signals) ?? 0)

/** Runs in each process, since each may receive inbound events. */
export const logsWatched: Role = {
  name: 'any',
  async start({ signals }) {
    const unlisten = signals.listen(TOPIC, () =>
      watchedUntil.set(signals, performance.now() + LOGS_WATCHED_MS),
    )
    return { stop: async () => unlisten() }
  },
}
