import type { FigureGroup } from '../src/platform/observe/figures.ts'
import { createMetrics } from '../src/platform/observe/metrics.ts'
import type { Sql } from '../src/platform/postgres/db.ts'

/** What a process measures that does nothing. */
export const measuredNothing = {
  statements: () => 0,
  sockets: () => 0,
  pool: () => ({ open: 3, idle: 1, waiting: 4 }),
  servers: () => ({ mail: false }),
  outside: () => ({
    ended: [{ target: 'files', result: 'late', value: 2 }],
    underWay: [{ target: 'files', value: 1 }],
  }),
  disk: async () => ({ size: 100, free: 40 }),
}

const database = {
  transaction: <T>(_opening: string, work: (sql: Sql) => Promise<T>) => work({} as Sql),
}

/** Metrics without a product and a database. */
export const metricsOf = (
  metricsToken: string | null,
  measured = measuredNothing,
  groups: FigureGroup[] = [],
) => createMetrics({ metricsToken }, measured, { groups, database, log: { warn: () => {} } })
