import type { Platform } from './app.ts'
import type { Emitted } from './events.ts'
import type { Feature } from './features.ts'
import type { Scope, Tx } from './scope.ts'

/**
 * After a commit: pushes first, in the order things happened; then the signals to other parts. The rows stand
 * whatever comes of it, so nothing that fails here reaches the caller, nor any of the others: it is logged.
 */
export function publisher(platform: Platform, features: Feature[]) {
  const live = features.flatMap(feature => feature.live ?? [])
  const nudges = features.flatMap(feature => feature.nudges ?? [])

  return (scope: Scope, payload: Emitted[]) => {
    for (const { event } of payload)
      platform.log.debug({ companyId: scope.companyId, event: event.name }, 'announced')
    for (const { event, payload: what } of payload)
      for (const { event: heard, tell } of live)
        if (heard === event)
          alone(event.name, () =>
            tell(scope.companyId, what as never, platform.sockets.push, platform.secrets),
          )
    for (const { event, payload: what } of payload)
      for (const { event: heard, topic, payload } of nudges)
        if (heard === event)
          alone(event.name, () => platform.signals.notify(topic(what as never), payload?.(what as never)))
  }

  function alone(event: string, work: () => unknown) {
    const failed = (error: unknown) =>
      platform.log.error({ err: error, event }, 'what follows an event failed')
    try {
      Promise.resolve(work()).catch(failed)
    } catch (error) {
      failed(error)
    }
  }
}

/** Before a commit: whoever is involved works one after the other; the first to refuse stops the whole. */
export async function involve(features: Feature[], tx: Tx, { event, payload }: Emitted) {
  for (const { reacts = [] } of features)
    for (const { event: heard, hear } of reacts) if (heard === event) await hear(tx, payload as never)
}
