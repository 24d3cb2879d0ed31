import type { DeliveryError, DeliveryState } from '@balcao/contract/deliveries.ts'
import { bigint, customType, integer, text } from 'drizzle-orm/pg-core'
import { sql } from './sql.ts'

/** A moment, in code always ISO 8601 text in UTC with milliseconds, as in the contract. */
export const instantColumn = customType<{ data: string; driverData: string }>({
  dataType: () => 'timestamp (3) with time zone',
  fromDriver: isoOf,
})

/** The key of every tenant table besides its company. */
export const serialId = () => integer('id').generatedByDefaultAsIdentity()
export const companyId = () => integer('company_id').notNull()
export const bigSerial = (name: string) => bigint(name, { mode: 'number' }).generatedByDefaultAsIdentity()

/** The state of a delivery to another system. */
export const deliveredColumns = () => ({
  state: text('state').notNull().default('waiting').$type<DeliveryState>(),
  attempts: integer('attempts').notNull().default(0),
  /** When it is tried next; null when it is not. */
  dueAt: instantColumn('due_at'),
  /** What the other side answered last, or why it could not be asked. */
  status: integer('status'),
  error: text('error').notNull().default('').$type<DeliveryError>(),
  createdAt: instantColumn('created_at').notNull().default(sql`now()`),
  triedAt: instantColumn('tried_at'),
})

/** `2026-01-31 12:00:00.5+00`, as PostgreSQL writes it (its time zone is set to UTC), as ISO 8601. */
function isoOf(written: string) {
  const [, day, seconds, fraction = ''] = WRITTEN.exec(written) ?? []
  return day ? `${day}T${seconds}.${fraction.padEnd(3, '0')}Z` : new Date(written).toISOString()
}

const WRITTEN = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)(?:\.(\d{1,3}))?\+00$/
