import { createHash, timingSafeEqual } from 'node:crypto'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Config } from '../config.ts'

export interface Metrics {
  /** `route` is the pattern, not the path: every value of it is kept for ever. */
  request(method: string, route: string, status: number, seconds: number): void
  messages(direction: 'in' | 'out', lib: string): void
  /** All figures, in Prometheus' text. */
  render(): Promise<string>
  /**
   * The configured token, or this machine itself. A request that a proxy passed on (`forwarded`: it has an
   * X-Forwarded-For or Forwarded header) comes from this machine only by its looks.
   */
  mayRead(ip: string, authorization: string | undefined, from?: { forwarded?: boolean }): boolean
}

/** Figures of one process, in a registry of its own; `read` is asked at each rendering. */
export function createMetrics(
  { metricsToken }: Pick<Config, 'metricsToken'>,
  read: { statements(): number; sockets(): number },
): Metrics {
  const registry = new Registry()
  const registers = [registry]
  // Memory, processor, garbage collection, the event loop's lag.
  // more often it would be most of what a process does at rest
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: 100 })
  const requests = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Duration of answered requests',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 5],
    registers,
  })
  const passed = new Counter({
    name: 'whatsapp_messages_total',
    help: 'Messages that came in and went out',
    labelNames: ['direction', 'lib'],
    registers,
  })
  new Gauge({
    name: 'sockets',
    help: 'Live connections',
    registers,
    collect() {
      this.set(read.sockets())
    },
  })
  new Counter({
    name: 'database_statements_total',
    help: 'Statements sent to the database',
    registers,
    collect() {
      this.reset()
      this.inc(read.statements())
    },
  })

  return {
    request: (method, route, status, seconds) => requests.observe({ method, route, status }, seconds),
    messages: (direction, lib) => passed.inc({ direction, lib }),
    render: () => registry.metrics(),
    mayRead(ip, authorization = '', { forwarded = false } = {}) {
      if (!forwarded && /^(127\.|::1$|::ffff:127\.)/.test(ip)) return true
      return metricsToken !== null && same(authorization, `Bearer ${metricsToken}`)
    },
  }
}

/** Constant time. */
const same = (given: string, expected: string) => timingSafeEqual(sum(given), sum(expected))
const sum = (text: string) => createHash('sha256').update(text).digest()
