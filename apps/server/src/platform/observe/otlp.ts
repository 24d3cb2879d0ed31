import { AsyncLocalStorage } from 'node:async_hooks'
import { createHash, randomBytes } from 'node:crypto'
import { ROOT_CONTEXT, SpanKind, SpanStatusCode, TraceFlags, trace } from '@opentelemetry/api'
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-http'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics'
import { BatchSpanProcessor, TraceIdRatioBasedSampler, TracerProvider } from '@opentelemetry/sdk-trace'
import { databaseNow } from '../clock.ts'
import type { Config } from '../config.ts'
import type { Metrics } from './metrics.ts'
import { otlpMetrics } from './otlp-metrics.ts'
import { listenToSpans, type TraceSpan } from './spans.ts'
import { VERSION } from './version.ts'

/** How often (ms) metrics leave. */
const METRICS_MS = 60_000
/** The longest wait (ms) for the collector: one that hangs holds no memory for longer. */
const PATIENCE_MS = 10_000

interface Given {
  config: Pick<Config, 'otelTracesSamplerArg' | 'roles'>
  endpoint: string
  instance: string
  metrics: Pick<Metrics, 'all'>
}

/**
 * Traces and metrics by OTLP over HTTP (JSON), beside the log and /metrics. This module is loaded only where
 * OTEL_EXPORTER_OTLP_ENDPOINT is set; the exporters also read OTEL_EXPORTER_OTLP_HEADERS and the like. A collector that is away
 * costs its spans alone: they wait in a bounded queue, and are dropped. Answers a function that sends what is left.
 */
export function sendToCollector({ config, endpoint, instance, metrics }: Given): () => Promise<void> {
  const resource = resourceFromAttributes({
    'service.name': 'balcao',
    'service.version': VERSION,
    'service.instance.id': instance,
    'balcao.roles': [...config.roles].join(),
  })
  const to = (path: string) => ({ url: `${endpoint}/v1/${path}`, timeoutMillis: PATIENCE_MS })
  const ids = knownIds()
  const provider = new TracerProvider({
    ...{ resource, idGenerator: ids },
    sampler: new TraceIdRatioBasedSampler(config.otelTracesSamplerArg),
    spanProcessors: [new BatchSpanProcessor({ exporter: new OTLPTraceExporter(to('traces')) })],
  })
  const reader = new PeriodicExportingMetricReader({
    exporter: new OTLPMetricExporter(to('metrics')),
    ...{ exportIntervalMillis: METRICS_MS, exportTimeoutMillis: PATIENCE_MS },
    metricProducers: [{ collect: async () => otlpMetrics(await metrics.all(), resource) }],
  })
  const meters = new MeterProvider({ resource, readers: [reader] })
  const stopListening = listenToSpans(spanWriter(provider, ids))
  return async () => {
    stopListening()
    // a collector that is away delays no stop
    await Promise.allSettled([provider.shutdown(), meters.shutdown()])
  }
}

/** A span is written when it is over: only its id is needed before, by what happens within it. */
function spanWriter(provider: TracerProvider, ids: KnownIds) {
  const tracer = provider.getTracer('balcao', VERSION)
  const current = new AsyncLocalStorage<string>()
  const known = new WeakMap<TraceSpan, { spanId: string; parentId: string | null }>()
  return {
    begun(span: TraceSpan) {
      const parentId = current.getStore() ?? (span.trace ? rootOf(span.trace) : null)
      // what began a trace that no call began is its root
      const spanId = randomBytes(8).toString('hex')
      known.set(span, { spanId, parentId })
      span.within = work => current.run(spanId, work)
    },
    over(span: TraceSpan) {
      const { kind, name, facts, began, ended, failed } = span
      const traceId = traceIdOf(span.trace ?? randomBytes(16).toString('hex'))
      const { spanId, parentId } = known.get(span) ?? { spanId: rootOf(span.trace!), parentId: null }
      ids.next(traceId, spanId)
      // one reading for both ends: how long it took does not depend on the clock
      const origin = databaseNow() - performance.now()
      const parent = parentId
        ? trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId: parentId, traceFlags: TraceFlags.SAMPLED })
        : ROOT_CONTEXT
      const written = tracer.startSpan(
        name,
        {
          kind: KINDS[kind],
          startTime: origin + began,
          attributes: { ...facts, ...(span.trace && { 'balcao.trace': span.trace }) },
        },
        parent,
      )
      if (failed) written.setStatus({ code: SpanStatusCode.ERROR })
      written.end(origin + ended)
    },
  }
}

const KINDS = {
  call: SpanKind.SERVER,
  statement: SpanKind.CLIENT,
  job: SpanKind.CONSUMER,
  inbound: SpanKind.CONSUMER,
}

/** The same in every process: what follows from a call elsewhere is in its trace. */
const traceIdOf = (name: string) => createHash('sha256').update(name).digest('hex').slice(0, 32)
/** Of the span that a trace began with. */
const rootOf = (name: string) => createHash('sha256').update(name).digest('hex').slice(32, 48)

interface KnownIds {
  next(traceId: string, spanId: string): void
  generateTraceId(): string
  generateSpanId(): string
}

/** The ids of the span that is written next: they are known before. */
function knownIds(): KnownIds {
  let [traceId, spanId] = ['', '']
  return {
    next(ofTrace, ofSpan) {
      ;[traceId, spanId] = [ofTrace, ofSpan]
    },
    generateTraceId: () => traceId,
    generateSpanId: () => spanId,
  }
}
