import { bigint, boolean, index, integer, pgTable, real, text } from 'drizzle-orm/pg-core'
import { instantColumn } from '../../platform/postgres/columns.ts'

/** Every process of the installation, as of its last heartbeat. Of the platform: no company sees it. */
export const processes = pgTable(
  'processes',
  {
    /** Its roles, its host, and a number where several are alike. */
    name: text('name').primaryKey(),
    instance: text('instance').notNull(),
    host: text('host').notNull(),
    pid: integer('pid').notNull(),
    version: text('version').notNull(),
    /** Names the secret with which it seals; empty for a version that does not write it. */
    keyId: text('key_id').notNull().default(''),
    startedAt: instantColumn('started_at').notNull(),
    restarts: integer('restarts').notNull().default(0),
    beatAt: instantColumn('beat_at').notNull(),
    /** It was found dead, and screens were notified that they may have missed its last pushes. */
    isMissed: boolean('is_missed').notNull().default(false),
    /** Percent of one core. */
    cpu: real('cpu').notNull().default(0),
    /** Bytes. */
    memory: bigint('memory', { mode: 'number' }).notNull().default(0),
    /** Milliseconds, at the 99th percentile since the last beat. */
    eventLoopDelay: real('event_loop_delay').notNull().default(0),
  },
  table => [index('processes_beat').on(table.beatAt)],
)
