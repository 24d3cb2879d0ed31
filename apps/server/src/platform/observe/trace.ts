import { AsyncLocalStorage } from 'node:async_hooks'
import { randomUUID } from 'node:crypto'

const traces = new AsyncLocalStorage<string | undefined>()

/**
 * Every log line of `work`, and of whatever follows from it, carries this trace: the id of a request, or of something
 * from a network. Long-lived work begins outside every trace: `traced(undefined, …)`.
 */
export const traced = <T>(trace: string | undefined, work: () => T): T => traces.run(trace, work)

/** The trace of what is done now; undefined for work without a request. */
export const traceNow = (): string | undefined => traces.getStore()

export const newTrace = (): string => randomUUID()

const SANE = /^[\w.:-]{8,64}$/

/** What a caller or a proxy named its request; a new one where it named none, or something that is no name. */
export const traceOf = (named: string | string[] | undefined): string =>
  typeof named === 'string' && SANE.test(named) ? named : newTrace()

/** Of work that several share: all of theirs, each of which finds its lines. */
export const sharedTrace = (shared: (string | undefined)[]): string | undefined =>
  [...new Set(shared)].filter(trace => trace !== undefined).join(' ') || undefined
