import { bigint, boolean, index, integer, pgTable, text } from 'drizzle-orm/pg-core'
import { instantColumn } from '../../platform/postgres/columns.ts'
import { sql } from '../../platform/postgres/sql.ts'

/** Sealed backups and drills, as their runs ended. Of the platform: no company sees it. */
export const backups = pgTable(
  'backups',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    kind: text('kind').notNull().$type<'backup' | 'drill'>(),
    /** `made`: written, and not restored once, for want of room; `verified`: restored once. `ended`: its process died. */
    state: text('state')
      .notNull()
      .default('running')
      .$type<'running' | 'made' | 'verified' | 'failed' | 'ended'>(),
    /** Folder or bucket, as an operator reads it. */
    place: text('place').notNull(),
    begunAt: instantColumn('begun_at').notNull().default(sql`now()`),
    endedAt: instantColumn('ended_at'),
    /** All that the backup holds, and what was sent of it. */
    bytes: bigint('bytes', { mode: 'number' }).notNull().default(0),
    sent: bigint('sent', { mode: 'number' }).notNull().default(0),
    files: integer('files').notNull().default(0),
    /** Of the log from where any later moment is restored; empty without one. */
    stream: text('stream').notNull().default(''),
    /** What was found when it was restored, or why it failed. */
    found: text('found').notNull().default(''),
    /** Whether a drill was written about. */
    isMailed: boolean('is_mailed').notNull().default(false),
  },
  table => [index('backups_ended').using('brin', table.endedAt)],
)
