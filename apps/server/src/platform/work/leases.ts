import type { PgColumn, PgTable, PgUpdateSetSource } from 'drizzle-orm/pg-core'
import { and, eq, gt, lte, type SQL, sql as tag } from '../postgres/sql.ts'
import type { Tx } from '../scope.ts'

/**
 * Leases of every kind are claimed, checked and settled by one clock, the database's: clocks of two processes differ.
 * `clock_timestamp`, since `now()` is the begin of the transaction.
 */
export const fromNow = (ms: number | SQL): SQL => tag`clock_timestamp() + ${ms} * interval '1 millisecond'`
/** For a row that is found otherwise: no index serves a volatile clock. */
export const isOver = (until: PgColumn): SQL => lte(until, tag`clock_timestamp()`)
export const isUnexpired = (until: PgColumn): SQL => gt(until, tag`clock_timestamp()`)

/**
 * Rows that are worked on outside of any transaction, under a lease. `dueAt` is when a row may be claimed, and while it is
 * claimed the end of the lease. The next claim changes it, so it is the fencing token, too.
 */
export type Leased = PgTable & { companyId: PgColumn; dueAt: PgColumn; attempts: PgColumn }

/** A claimed row, and the end of its lease. */
export type ClaimedRow<Table extends PgTable> = Table['$inferSelect'] & { until: string }

/** Values to write, or SQL expressions. */
export type LeasedValues<Table extends PgTable> = {
  [Name in keyof Table['$inferInsert']]?: Table['$inferInsert'][Name] | SQL
}

/** Another worker has claimed the row, or the lease ended. */
export class RowLeaseLost extends Error {
  constructor() {
    super('another worker has this row')
  }
}

/** Claims a due row for `ms`, counting the try. Null when another worker has it. */
export async function claimRow<Table extends Leased>(
  tx: Tx,
  table: Table,
  which: SQL | undefined,
  ms: number,
  more: LeasedValues<Table> = {},
): Promise<ClaimedRow<Table> | null> {
  const claimed = { ...more, dueAt: fromNow(ms), attempts: tag`${table.attempts} + 1` }
  const rows = await tx.sql
    .update(table)
    .set(claimed as PgUpdateSetSource<Table>)
    .where(and(eq(table.companyId, tx.companyId), which, isOver(table.dueAt)))
    .returning()
  const [row] = rows as Table['$inferSelect'][]
  return row ? { ...row, until: row.dueAt as string } : null
}

/**
 * Extends the lease to `ms` from now and answers its end; before a step that cannot be undone. Throws RowLeaseLost when the
 * lease ended, whether another worker claimed the row or not.
 */
export async function keepRow<Table extends Leased>(
  tx: Tx,
  table: Table,
  which: SQL | undefined,
  until: string,
  ms: number,
): Promise<string> {
  const rows = await tx.sql
    .update(table)
    .set({ dueAt: fromNow(ms) } as PgUpdateSetSource<Table>)
    .where(and(eq(table.companyId, tx.companyId), which, eq(table.dueAt, until), isUnexpired(table.dueAt)))
    .returning()
  const [row] = rows as Table['$inferSelect'][]
  if (!row) throw new RowLeaseLost()
  return row.dueAt as string
}

/** Writes the state of a row; with `until` only while that claim is the last. True when it was written. */
export async function settleRow<Table extends Leased>(
  tx: Tx,
  table: Table,
  which: SQL | undefined,
  values: LeasedValues<Table>,
  until?: string,
): Promise<boolean> {
  const written = await tx.sql
    .update(table)
    .set(values as PgUpdateSetSource<Table>)
    .where(
      and(eq(table.companyId, tx.companyId), which, until === undefined ? undefined : eq(table.dueAt, until)),
    )
    .returning()
  return (written as unknown[]).length > 0
}
