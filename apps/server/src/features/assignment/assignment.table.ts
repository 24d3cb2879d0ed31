import type { AssignmentMode, WaitingReason } from '@balcao/contract/assignment.ts'
import { boolean, check, foreignKey, index, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { bigSerial, companyId, instantColumn } from '../../platform/postgres/columns.ts'
import { sql } from '../../platform/postgres/sql.ts'
import { queues } from '../queues/queues.table.ts'
import { users } from '../users/users.table.ts'

/** Who gets the next ticket of a queue; a queue without a row gives its tickets by hand. */
export const queueAssignments = pgTable(
  'queue_assignments',
  {
    companyId: companyId(),
    queueId: integer('queue_id').notNull(),
    mode: text('mode').notNull().default('manual').$type<AssignmentMode>(),
    capacity: integer('capacity'),
    stickyDays: integer('sticky_days'),
    ownerFirst: boolean('owner_first').notNull().default(false),
    onlyWithinHours: boolean('only_within_hours').notNull().default(false),
    returnAfterMinutes: integer('return_after_minutes'),
    /** Whose turn was the last. */
    lastUserId: integer('last_user_id'),
    waitingReason: text('waiting_reason').$type<WaitingReason>(),
    /** When it is looked again though nothing happened: while tickets wait. */
    lookAt: instantColumn('look_at'),
    /** When it is looked for tickets of absent attendants. */
    returnsAt: instantColumn('returns_at'),
  },
  table => [
    primaryKey({ columns: [table.companyId, table.queueId] }),
    index('queue_assignments_look').on(table.lookAt).where(sql`${table.lookAt} is not null`),
    index('queue_assignments_returns').on(table.returnsAt).where(sql`${table.returnsAt} is not null`),
    index('queue_assignments_user').on(table.companyId, table.lastUserId),
    foreignKey({
      columns: [table.companyId, table.queueId],
      foreignColumns: [queues.companyId, queues.id],
    }).onDelete('cascade'),
    foreignKey({
      columns: [table.companyId, table.lastUserId],
      foreignColumns: [users.companyId, users.id],
    }),
    check('queue_assignments_mode', sql`${table.mode} in ('manual', 'rotation', 'least')`),
  ],
)

/**
 * Something happened by which a ticket of a queue may be given to somebody. Rows of their own, added without waiting for
 * each other: a row of the queue would make all who open tickets in it wait for one another.
 */
export const assignmentWakes = pgTable(
  'assignment_wakes',
  {
    id: bigSerial('id'),
    companyId: companyId(),
    queueId: integer('queue_id').notNull(),
  },
  table => [
    primaryKey({ columns: [table.companyId, table.id] }),
    index('assignment_wakes_queue').on(table.companyId, table.queueId),
    foreignKey({
      columns: [table.companyId, table.queueId],
      foreignColumns: [queueAssignments.companyId, queueAssignments.queueId],
    }).onDelete('cascade'),
  ],
)
