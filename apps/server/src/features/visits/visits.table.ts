import type { VisitSubject } from '@balcao/contract/visits.ts'
import { foreignKey, index, integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { companyId, instantColumn } from '../../platform/postgres/columns.ts'
import { sql } from '../../platform/postgres/sql.ts'
import { companies } from '../companies/companies.table.ts'

/** Visits of masters to other companies. Name and e-mail are copied: the visitor is a user of another company. */
export const visits = pgTable(
  'visits',
  {
    id: uuid('id').notNull().defaultRandom(),
    companyId: companyId().references(() => companies.id, { onDelete: 'cascade' }),
    visitorId: integer('visitor_id').notNull(),
    visitorName: text('visitor_name').notNull(),
    visitorEmail: text('visitor_email').notNull(),
    /** The session it was opened from; it ends with it. */
    sessionId: uuid('session_id').notNull(),
    reason: text('reason').notNull(),
    startedAt: instantColumn('started_at').notNull().default(sql`now()`),
    endsAt: instantColumn('ends_at').notNull(),
    endedAt: instantColumn('ended_at'),
  },
  table => [
    primaryKey({ columns: [table.companyId, table.id] }),
    index('visits_newest').on(table.companyId, table.startedAt),
  ],
)

export const visitLooks = pgTable(
  'visit_looks',
  {
    companyId: companyId(),
    visitId: uuid('visit_id').notNull(),
    subject: text('subject').notNull().$type<VisitSubject>(),
    /** The ticket or the contact; 0 for a list. */
    subjectId: integer('subject_id').notNull().default(0),
    times: integer('times').notNull().default(1),
    lastAt: instantColumn('last_at').notNull().default(sql`now()`),
  },
  table => [
    primaryKey({ columns: [table.companyId, table.visitId, table.subject, table.subjectId] }),
    foreignKey({
      columns: [table.companyId, table.visitId],
      foreignColumns: [visits.companyId, visits.id],
    }).onDelete('cascade'),
  ],
)
