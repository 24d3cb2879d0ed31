import { channel } from 'node:diagnostics_channel'
import { traceNow } from './trace.ts'

/** What lasted: a call, a statement, a job, an inbound event. Its trace ties it to the lines of the log. */
export interface TraceSpan {
  kind: 'call' | 'statement' | 'job' | 'inbound'
  name: string
  /** Numbers and names of the product's own, nothing that people wrote. */
  facts: Record<string, string | number>
  trace: string | undefined
  /** What it began with, by `performance.now()`. */
  began: number
  ended: number
  failed: boolean
  /** What happens within it; whoever listens may put it in a context of its own. */
  within<T>(work: () => T): T
}

/**
 * There is no listener without OTEL_EXPORTER_OTLP_ENDPOINT (otlp.ts): then a span costs one look at this channel. It is of the
 * process, as are the listeners of Node.
 */
const begun = channel('balcao.span.begun')
const over = channel('balcao.span.over')

export const areSpansWanted = (): boolean => over.hasSubscribers

/** Runs `work` as a span of the current trace. */
export async function spanned<T>(
  what: Pick<TraceSpan, 'kind' | 'name' | 'facts'>,
  work: () => Promise<T>,
): Promise<T> {
  if (!over.hasSubscribers) return work()
  const span = newSpan(what, traceNow(), performance.now())
  begun.publish(span)
  try {
    return await span.within(work)
  } catch (error) {
    span.failed = true
    throw error
  } finally {
    span.ended = performance.now()
    over.publish(span)
  }
}

/** One that is over, such as an answered call: what it caused has the same trace. */
export function reportSpan(
  what: Pick<TraceSpan, 'kind' | 'name' | 'facts' | 'failed'>,
  { trace, ms }: { trace: string; ms: number },
): void {
  if (!over.hasSubscribers) return
  const now = performance.now()
  over.publish({ ...newSpan(what, trace, now - ms), failed: what.failed, ended: now })
}

const newSpan = (
  what: Pick<TraceSpan, 'kind' | 'name' | 'facts'>,
  trace: string | undefined,
  began: number,
): TraceSpan => ({
  ...what,
  trace,
  began,
  ended: began,
  failed: false,
  within: work => work(),
})

interface Listener {
  begun(span: TraceSpan): void
  over(span: TraceSpan): void
}

/** Answers a function that ends it. */
export function listenToSpans(listener: Listener): () => void {
  const onBegun = (span: unknown) => listener.begun(span as TraceSpan)
  const onOver = (span: unknown) => listener.over(span as TraceSpan)
  begun.subscribe(onBegun)
  over.subscribe(onOver)
  return () => {
    begun.unsubscribe(onBegun)
    over.unsubscribe(onOver)
  }
}
