import { bigint, customType, integer } from 'drizzle-orm/pg-core'

/** A moment, in code always ISO 8601 text in UTC with milliseconds, as the contract says it. */
export const instantColumn = customType<{ data: string; driverData: string }>({
  dataType: () => 'timestamp (3) with time zone',
  fromDriver: isoOf,
})

/** The key of every tenant table besides its company. */
export const serialId = () => integer('id').generatedByDefaultAsIdentity()
export const companyId = () => integer('company_id').notNull()
export const bigSerial = (name: string) => bigint(name, { mode: 'number' }).generatedByDefaultAsIdentity()

/** `2026-01-31 12:00:00.5+00`, as both databases write it (they are told to speak UTC), as ISO 8601. */
function isoOf(written: string) {
  const [, day, seconds, fraction = ''] = WRITTEN.exec(written) ?? []
  return day ? `${day}T${seconds}.${fraction.padEnd(3, '0')}Z` : new Date(written).toISOString()
}

const WRITTEN = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)(?:\.(\d{1,3}))?\+00$/
