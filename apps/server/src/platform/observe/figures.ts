import type { Logger } from 'pino'
import { Gauge, type Registry } from 'prom-client'
import type { Database, Sql } from '../postgres/db.ts'

/** One value of a metric. */
export interface Sample {
  metric: string
  value: number
  labels?: Record<string, string>
}

/**
 * What a feature counts in the database for `/metrics`, by one statement. All processes of an installation answer the same
 * values, so an alert takes the maximum. `metrics`: the name of each with its meaning and its labels.
 */
export interface FigureGroup {
  kind: 'figures'
  name: string
  metrics: Record<string, readonly [meaning: string, ...labels: string[]]>
  read(sql: Sql): Promise<Sample[]>
}

export const figures = (
  name: string,
  metrics: FigureGroup['metrics'],
  read: FigureGroup['read'],
): FigureGroup => ({
  kind: 'figures',
  name,
  metrics,
  read,
})

/** How long (ms) values are reused: whoever scrapes often, or several scrapers, cost no more statements. */
const KEPT_MS = 10_000
/** A statement that takes longer is given up: the others are answered. */
const LIMIT = `set local statement_timeout = 3000`

/** Registers gauges for all groups. The answered function fills them, each group by one statement; it never throws. */
export function registerFigures(
  groups: FigureGroup[],
  registry: Registry,
  { database, log }: { database: Pick<Database, 'transaction'>; log: Pick<Logger, 'warn'> },
): () => Promise<void> {
  const registers = [registry]
  const failed = new Gauge({
    name: 'balcao_figures_failed',
    help: 'Whether a group of figures could not be read (1)',
    labelNames: ['group'],
    registers,
  })
  const gauges = new Map(
    groups.flatMap(({ metrics }) =>
      Object.entries(metrics).map(([name, [help, ...labelNames]]) => [
        name,
        new Gauge({ name, help, labelNames, registers }),
      ]),
    ),
  )
  let filledAt = Number.NEGATIVE_INFINITY
  let filling: Promise<void> | null = null

  async function fill() {
    for (const { name, metrics, read } of groups)
      try {
        const samples = await database.transaction(LIMIT, read)
        for (const metric of Object.keys(metrics)) gauges.get(metric)?.reset()
        for (const { metric, labels = {}, value } of samples) gauges.get(metric)?.set(labels, value)
        failed.set({ group: name }, 0)
      } catch (error) {
        failed.set({ group: name }, 1)
        log.warn({ err: error, group: name }, 'figures for /metrics could not be read')
      }
    filledAt = performance.now()
  }
  return async () => {
    if (performance.now() - filledAt <= KEPT_MS) return
    filling ??= fill().finally(() => {
      filling = null
    })
    await filling
  }
}
