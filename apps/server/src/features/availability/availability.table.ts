import type { AvailabilityCause, AvailabilityState } from '@balcao/contract/availability.ts'
import type { OpenHours } from '@balcao/contract/businessHours.ts'
import {
  boolean,
  check,
  foreignKey,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
} from 'drizzle-orm/pg-core'
import { bigSerial, companyId, instantColumn } from '../../platform/postgres/columns.ts'
import { sql } from '../../platform/postgres/sql.ts'
import { companies } from '../companies/companies.table.ts'
import { pauseReasons } from '../pauseReasons/pauseReasons.table.ts'
import { users } from '../users/users.table.ts'

/** What a user chose, and the state that followed from it and from the rest, as it was announced last. */
export const userAvailability = pgTable(
  'user_availability',
  {
    companyId: companyId(),
    userId: integer('user_id').notNull(),
    chosen: text('chosen').notNull().default('available').$type<AvailabilityState>(),
    chosenReasonId: integer('chosen_reason_id'),
    /** Chose to be available outside the working hours: they do not count until they begin again. */
    despiteHours: boolean('despite_hours').notNull().default(false),
    state: text('state').notNull().default('away').$type<AvailabilityState>(),
    cause: text('cause').notNull().default('screen').$type<AvailabilityCause>(),
    reasonId: integer('reason_id'),
    since: instantColumn('since').notNull().default(sql`now()`),
    /** When the user was available last, kept by a trigger; null while available, and where it is not known: `since` then. */
    absentSince: instantColumn('absent_since'),
  },
  table => [
    primaryKey({ columns: [table.companyId, table.userId] }),
    // those whose state changes without an act of theirs
    index('user_availability_watched')
      .on(table.companyId, table.userId)
      .where(
        sql`${table.state} in ('available', 'pause') or ${table.cause} = 'hours' or ${table.despiteHours}`,
      ),
    foreignKey({
      columns: [table.companyId, table.userId],
      foreignColumns: [users.companyId, users.id],
    }).onDelete('cascade'),
    foreignKey({
      columns: [table.companyId, table.chosenReasonId],
      foreignColumns: [pauseReasons.companyId, pauseReasons.id],
    }),
    foreignKey({
      columns: [table.companyId, table.reasonId],
      foreignColumns: [pauseReasons.companyId, pauseReasons.id],
    }),
    check('user_availability_chosen', sql`${table.chosen} in ('available', 'pause', 'away')`),
    check('user_availability_state', sql`${table.state} in ('available', 'pause', 'away')`),
    check('user_availability_cause', sql`${table.cause} in ('hand', 'hours', 'silence', 'screen')`),
  ],
)

/** Until when a user counts as present. Written every few seconds by each process for the screens that it serves. */
export const userPresence = pgTable(
  'user_presence',
  {
    companyId: companyId(),
    userId: integer('user_id').notNull(),
    seenUntil: instantColumn('seen_until').notNull(),
    /** When a screen was seen open last; null where only programs called. */
    screenAt: instantColumn('screen_at'),
    /** The last input, or the last call that changed something. */
    actedAt: instantColumn('acted_at').notNull().default(sql`now()`),
  },
  table => [
    primaryKey({ columns: [table.companyId, table.userId] }),
    foreignKey({
      columns: [table.companyId, table.userId],
      foreignColumns: [users.companyId, users.id],
    }).onDelete('cascade'),
  ],
)

/** Each stretch of one state, for reports. The last one of a user has no end. */
export const availabilitySpells = pgTable(
  'availability_spells',
  {
    id: bigSerial('id'),
    companyId: companyId(),
    userId: integer('user_id').notNull(),
    state: text('state').notNull().$type<AvailabilityState>(),
    cause: text('cause').notNull().$type<AvailabilityCause>(),
    reasonId: integer('reason_id'),
    beganAt: instantColumn('began_at').notNull().default(sql`now()`),
    endedAt: instantColumn('ended_at'),
  },
  table => [
    primaryKey({ columns: [table.companyId, table.id] }),
    uniqueIndex('availability_spells_open')
      .on(table.companyId, table.userId)
      .where(sql`${table.endedAt} is null`),
    index('availability_spells_by_end').on(table.companyId, table.endedAt),
    index('availability_spells_old').using('brin', table.endedAt),
    foreignKey({
      columns: [table.companyId, table.userId],
      foreignColumns: [users.companyId, users.id],
    }).onDelete('cascade'),
    foreignKey({
      columns: [table.companyId, table.reasonId],
      foreignColumns: [pauseReasons.companyId, pauseReasons.id],
    }),
  ],
)

export const userHours = pgTable(
  'user_hours',
  {
    companyId: companyId(),
    userId: integer('user_id').notNull(),
    /** Null: always. */
    working: jsonb('working').$type<OpenHours[]>(),
    login: jsonb('login').$type<OpenHours[]>(),
    /** The server's zone, for a company without one: what looks at all companies has no other. */
    usualZone: text('usual_zone').notNull(),
  },
  table => [
    primaryKey({ columns: [table.companyId, table.userId] }),
    foreignKey({
      columns: [table.companyId, table.userId],
      foreignColumns: [users.companyId, users.id],
    }).onDelete('cascade'),
  ],
)

export const availabilitySettings = pgTable(
  'availability_settings',
  {
    companyId: companyId().references(() => companies.id, { onDelete: 'cascade' }),
    silenceMinutes: integer('silence_minutes'),
  },
  table => [primaryKey({ columns: [table.companyId] })],
)
