import type { VisitSubject } from '@balcao/contract/visits.ts'
import { foreignKey, index, integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { companyId, instantColumn } from '../../platform/columns.ts'
import { sql } from '../../platform/sql.ts'
import { companies } from '../companies/companies.table.ts'

/** Visits of masters to a company that is not theirs. Who came is kept in words: he is a user of another company. */
export const visits = pgTable(
  'visits',
  {
    id: uuid('id').notNull().defaultRandom(),
    companyId: companyId().references(() => companies.id, { onDelete: 'cascade' }),
    visitorId: integer('visitor_id').notNull(),
    visitorName: text('visitor_name').notNull(),
    visitorEmail: text('visitor_email').notNull(),
    /** The login that it was begun with: with that it ends. */
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

/** At what of the company a visitor looked, how often. */
export const visitLooks = pgTable(
  'visit_looks',
  {
    companyId: companyId(),
    visitId: uuid('visit_id').notNull(),
    subject: text('subject').notNull().$type<VisitSubject>(),
    /** Of the ticket or the contact; 0 for what is looked at as a whole. */
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
