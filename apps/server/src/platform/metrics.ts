import { timingSafeEqual } from 'node:crypto'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Config } from './config.ts'

export interface Metrics {
  request(method: string, route: string, status: number, seconds: number): void
  messages(direction: 'in' | 'out', lib: string): void
  render(): Promise<string>
  /** Loopback, or the configured token. */
  mayRead(ip: string, authorization: string | undefined): boolean
}

/** Prometheus figures of one process, in a registry of its own. */
export function createMetrics(
  { metricsToken }: Pick<Config, 'metricsToken'>,
  read: { statements(): number; sockets(): number },
): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const registers = [registry]
  const requests = new Histogram({
    name: 'http_request_seconds',
    help: 'Duration of requests',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 5],
    registers,
  })
  const passed = new Counter({
    name: 'whatsapp_messages_total',
    help: 'Messages that passed',
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
  new Gauge({
    name: 'database_statements',
    help: 'Statements since start',
    registers,
    collect() {
      this.set(read.statements())
    },
  })

  return {
    request: (method, route, status, seconds) => requests.observe({ method, route, status }, seconds),
    messages: (direction, lib) => passed.inc({ direction, lib }),
    render: () => registry.metrics(),
    mayRead: (ip, authorization) =>
      metricsToken
        ? same(authorization ?? '', `Bearer ${metricsToken}`)
        : /^(127\.|::1$|::ffff:127\.)/.test(ip),
  }
}

const same = (given: string, expected: string) =>
  given.length === expected.length && timingSafeEqual(Buffer.from(given), Buffer.from(expected))
