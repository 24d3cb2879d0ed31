import type { Logger } from 'pino'
import type { Emitted, WithinTools } from '../events.ts'
import { type Feature, itemsOf } from '../features.ts'
import { together } from '../postgres/db.ts'
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
  const pushes = byEvent(itemsOf(features, 'push'))
  const signalled = byEvent(itemsOf(features, 'signal'))

  return ({ companyId }: Scope, all: Emitted[]) => {
    for (const { event } of all) log.debug({ companyId, event: event.name }, 'announced')
    for (const emitted of all)
      for (const one of pushes.get(emitted.event) ?? [])
        guarded(emitted, () => one.send(emitted, companyId, push, tools))
    for (const emitted of all)
      for (const one of signalled.get(emitted.event) ?? []) guarded(emitted, () => one.send(emitted, signals))
  }

  function guarded({ event }: Emitted, work: () => unknown) {
    const failed = (error: unknown) =>
      log.error({ err: error, event: event.name }, 'what follows an event failed')
    try {
      Promise.resolve(work()).catch(failed)
    } catch (error) {
      failed(error)
    }
  }
}

/** Before a commit: the listeners ask together and react one after the other; the first that refuses ends the transaction. */
export function involving(features: Feature[]) {
  const listeners = byEvent(itemsOf(features, 'within'))
  return async (tx: Tx, emitted: Emitted, tools: WithinTools) => {
    const own = listeners.get(emitted.event) ?? []
    const asking = own.filter(({ ask }) => ask)
    const answers = await together(tx.sql, ...asking.map(one => async () => one.ask!(emitted, tx)))
    for (const one of own) await one.react(emitted, tx, tools, answers[asking.indexOf(one)])
  }
}

const byEvent = <Item extends Pick<Emitted, 'event'>>(items: Item[]) =>
  Map.groupBy(items, ({ event }) => event)
