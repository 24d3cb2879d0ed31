/**
 * The words that statements are written with. They come in by this one door: Node reads the library's long list of
 * entries again for every file that names it, which was a tenth of a start.
 */
import { type SQL, sql as tag } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'

export * from 'drizzle-orm'

/** The rows of a raw SQL statement; `Row` is what it selects, which is not checked. */
export async function rowsFrom<Row>(
  sql: { execute(statement: SQL): PromiseLike<unknown> },
  statement: SQL,
): Promise<Row[]> {
  return ((await sql.execute(statement)) as { rows: Row[] }).rows
}

/**
 * States that are part of the text: of a parameter the planner does not know that it is among those of a partial index, and a
 * plan that is made once reads the whole table.
 */
export const inState = <Column extends PgColumn>(
  column: Column,
  ...states: (Column['_']['data'] & string)[]
) => tag`${column} in (${tag.raw(states.map(state => `'${state}'`).join())})`

/** A limit that is part of the text: for a parameter the planner expects a tenth of the table, and plans every time anew. */
export const literalLimit = (rows: number) => tag.raw(String(rows)) as unknown as number
