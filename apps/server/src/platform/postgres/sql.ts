/**
 * The words that statements are written with. They come in by this one door: Node reads the library's long list of
 * entries again for every file that names it, which was a tenth of a start.
 */
import type { SQL } from 'drizzle-orm'

export * from 'drizzle-orm'

/** The rows of a raw SQL statement; `Row` is what it selects, which is not checked. */
export async function rowsFrom<Row>(
  sql: { execute(statement: SQL): PromiseLike<unknown> },
  statement: SQL,
): Promise<Row[]> {
  return ((await sql.execute(statement)) as { rows: Row[] }).rows
}
