import { createHash, timingSafeEqual } from 'node:crypto'
import {
  Counter,
  collectDefaultMetrics,
  Gauge,
  Histogram,
  type MetricObjectWithValues,
  type MetricValue,
  Registry,
} from 'prom-client'
import type { Config } from '../config.ts'
import { type FigureGroup, registerFigures } from './figures.ts'
import { VERSION } from './version.ts'

export interface Metrics {
  /** `route` is the pattern, not the path: every value of it is kept for ever. */
  request(method: string, route: string, status: number, seconds: number): void
  messages(direction: 'in' | 'out', count: number): void
  /** A message of a kind that is not shown here. */
  unknownKind(): void
  /** What arrived incomplete on a connection. */
  incomplete(whatsappId: number, what: string): void
  /** Since when (ms, the monotonic clock) a connection cannot record what it receives; null when it can. */
  unrecorded(whatsappId: number, since: number | null): void
  /** All figures, in Prometheus' text. */
  render(): Promise<string>
  /** The same as values, for a collector (otlp.ts). */
  all(): Promise<MetricObjectWithValues<MetricValue<string>>[]>
  /**
   * The configured token, or this machine itself. A request that a proxy passed on (`forwarded`: it has an
   * X-Forwarded-For or Forwarded header) comes from this machine only by its looks.
   */
  mayRead(ip: string, authorization: string | undefined, from?: { forwarded?: boolean }): boolean
}

/** What is asked at each rendering. */
interface Measured {
  statements(): number
  sockets(): number
  /** Connections to the database: open ones, those of them without work, and calls that wait for one. */
  pool(): { open: number; idle: number; waiting: number }
  /** Other servers, and whether they answer; those that are not set up or not asked yet are left out. */
  servers(): Record<string, boolean>
  /** Calls of what is outside, since the start and now. */
  outside(): {
    ended: { target: string; result: string; value: number }[]
    underWay: { target: string; value: number }[]
  }
  /** Where data is kept; null where it cannot be measured. */
  disk(): Promise<{ size: number; free: number } | null>
}

/** FigureGroup of one process and of its installation, in a registry of its own. */
export function createMetrics(
  { metricsToken }: Pick<Config, 'metricsToken'>,
  read: Measured,
  figures: { groups: FigureGroup[] } & Parameters<typeof registerFigures>[2],
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
  const { passed, unknown, incomplete, unrecorded } = messageCounters(registry)
  new Gauge({
    name: 'sockets',
    help: 'Live connections',
    registers,
    collect() {
      this.set(read.sockets())
    },
  })
  countStatements(registry, read)
  measure(registry, read)
  const fill = registerFigures(figures.groups, registry, figures)

  return {
    request: (method, route, status, seconds) => requests.observe({ method, route, status }, seconds),
    messages: (direction, count) => passed.inc({ direction }, count),
    unknownKind: () => unknown.inc(),
    incomplete: (whatsappId, what) => incomplete.inc({ connection: String(whatsappId), what }),
    unrecorded: (whatsappId, since) =>
      since === null ? unrecorded.delete(whatsappId) : unrecorded.set(whatsappId, since),
    async render() {
      await fill()
      return registry.metrics()
    },
    async all() {
      await fill()
      return registry.getMetricsAsJSON()
    },
    mayRead(ip, authorization = '', { forwarded = false } = {}) {
      if (!forwarded && /^(127\.|::1$|::ffff:127\.)/.test(ip)) return true
      return metricsToken !== null && same(authorization, `Bearer ${metricsToken}`)
    },
  }
}

function messageCounters(registry: Registry) {
  const registers = [registry]
  const passed = new Counter({
    name: 'whatsapp_messages_total',
    help: 'Messages that came in and went out',
    labelNames: ['direction'],
    registers,
  })
  const unknown = new Counter({
    name: 'whatsapp_unknown_kinds_total',
    help: 'Messages of kinds that are not shown here; they are kept under the name of the network',
    registers,
  })
  const incomplete = new Counter({
    name: 'whatsapp_incomplete_total',
    help: 'What arrived without its content, cannot be stored as it is, or is no event, by connection',
    labelNames: ['connection', 'what'],
    registers,
  })
  const unrecorded = new Map<number, number>()
  new Gauge({
    name: 'balcao_inbound_unrecorded_seconds',
    help: 'How long a connection has not been able to record what it receives; none while all can',
    labelNames: ['connection'],
    registers,
    collect() {
      this.reset()
      for (const [id, since] of unrecorded)
        this.set({ connection: String(id) }, (performance.now() - since) / 1_000)
    },
  })
  return { passed, unknown, incomplete, unrecorded }
}

function countStatements(registry: Registry, read: Pick<Measured, 'statements'>) {
  new Counter({
    name: 'database_statements_total',
    help: 'Statements sent to the database',
    registers: [registry],
    collect() {
      this.reset()
      this.inc(read.statements())
    },
  })
}

function measure(registry: Registry, read: Measured) {
  const gauge = (
    name: string,
    help: string,
    labels: string[],
    collect: (gauge: Gauge) => void | Promise<void>,
  ) =>
    new Gauge({
      ...{ name, help, labelNames: labels, registers: [registry] },
      collect() {
        return collect(this)
      },
    })
  gauge('balcao_build_info', 'The version; its value is 1', ['version'], info =>
    info.set({ version: VERSION }, 1),
  )
  gauge('balcao_database_connections', 'Connections of this process to the database', ['state'], pool => {
    const { open, idle, waiting } = read.pool()
    pool.set({ state: 'used' }, open - idle)
    pool.set({ state: 'idle' }, idle)
    pool.set({ state: 'waited_for' }, waiting)
  })
  gauge('balcao_server_up', 'Whether a server beside the database answers this process', ['server'], up => {
    for (const [server, isUp] of Object.entries(read.servers())) up.set({ server }, isUp ? 1 : 0)
  })
  new Counter({
    name: 'balcao_outside_calls_total',
    help: 'Calls of what is outside that have ended',
    labelNames: ['target', 'result'],
    registers: [registry],
    collect() {
      this.reset()
      for (const { target, result, value } of read.outside().ended) this.inc({ target, result }, value)
    },
  })
  gauge('balcao_outside_under_way', 'Calls of what is outside that are under way', ['target'], calls => {
    for (const { target, value } of read.outside().underWay) calls.set({ target }, value)
  })
  gauge('balcao_disk_bytes', 'The disk of DATA_DIR: its size, and what is free', ['what'], async disk => {
    const found = await read.disk()
    if (!found) return
    disk.set({ what: 'size' }, found.size)
    disk.set({ what: 'free' }, found.free)
  })
}

/** Constant time. */
const same = (given: string, expected: string) => timingSafeEqual(sum(given), sum(expected))
const sum = (text: string) => createHash('sha256').update(text).digest()
