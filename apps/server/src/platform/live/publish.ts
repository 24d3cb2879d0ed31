import type { Logger } from 'pino'
import type { Emitted, RecorderTools } from '../events.ts'
import type { Feature } from '../features.ts'
import type { Scope, Tx } from '../scope.ts'
import type { LiveTools, SendPush } from './live.ts'

interface Tools extends LiveTools {
  push: SendPush
  log: Logger
}

/**
 * After a commit: pushes first, in the order of the events; then the signals to other parts. The rows are committed
 * whatever happens here, so a failure reaches neither the caller nor the other listeners: it is logged.
 */
export function publisher(features: Feature[], tools: Tools) {
  const { push, log, signals } = tools
  const live = features.flatMap(feature => feature.live ?? [])
  const nudges = features.flatMap(feature => feature.nudges ?? [])

  return (scope: Scope, emitted: Emitted[]) => {
    for (const { event } of emitted) log.debug({ companyId: scope.companyId, event: event.name }, 'announced')
    for (const { event, payload } of emitted)
      for (const one of live)
        if (one.event === event) guarded(event.name, () => one.send(scope.companyId, payload, push, tools))
    for (const { event, payload } of emitted)
      for (const one of nudges)
        if (one.event === event)
          guarded(event.name, () => signals.notify(one.topic(payload), one.payload?.(payload)))
  }

  function guarded(event: string, work: () => unknown) {
    const failed = (error: unknown) => log.error({ err: error, event }, 'what follows an event failed')
    try {
      Promise.resolve(work()).catch(failed)
    } catch (error) {
      failed(error)
    }
  }
}

/** Before a commit: the listeners run one after the other; the first that refuses ends the transaction. */
export async function involve(features: Feature[], tx: Tx, { event, payload }: Emitted) {
  for (const { reacts = [] } of features)
    for (const one of reacts) if (one.event === event) await one.react(tx, payload)
}

/** At the end of a transaction, in its commit: every recorder writes what was emitted. */
export async function record(features: Feature[], tx: Tx, emitted: Emitted[], tools: RecorderTools) {
  for (const { records = [] } of features) for (const write of records) await write(tx, emitted, tools)
}
