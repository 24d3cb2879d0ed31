/**
 * The words that statements are written with. They come in by this one door: Node reads the library's long list of
 * entries again for every file that names it, which was a tenth of a start.
 */
import { type SQL, sql as tag } from 'drizzle-orm'

export * from 'drizzle-orm'

/** The rows of a raw SQL statement; `Row` is what it selects, which is not checked. */
export async function rowsFrom<Row>(
  sql: { execute(statement: SQL): PromiseLike<unknown> },
  statement: SQL,
): Promise<Row[]> {
  return ((await sql.execute(statement)) as { rows: Row[] }).rows
}

/** A limit that is part of the text: for a parameter the planner expects a tenth of the table, and plans every time anew. */
export const literalLimit = (rows: number) => tag.raw(String(rows)) as unknown as number
