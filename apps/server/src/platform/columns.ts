import { bigint, customType, integer } from 'drizzle-orm/pg-core'

/** A moment, in code always ISO 8601 text in UTC with milliseconds, as the contract says it. */
export const instant = customType<{ data: string; driverData: string }>({
  dataType: () => 'timestamp (3) with time zone',
  fromDriver: value => new Date(value).toISOString(),
})

/** The key of every tenant table besides its company. */
export const serialId = () => integer('id').generatedByDefaultAsIdentity()
export const companyId = () => integer('company_id').notNull()
export const bigSerial = (name: string) => bigint(name, { mode: 'number' }).generatedByDefaultAsIdentity()
