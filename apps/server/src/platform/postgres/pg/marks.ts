import type { PgTable } from 'drizzle-orm/pg-core'
import { type SQL, sql as tag } from '../sql.ts'

/**
 * The version of a row that PostgreSQL itself keeps (`xmin`, the transaction that wrote it): another one after every
 * change, whoever made it. It is not documented to stay so across a dump, and need not: what is compared with it lives
 * in the memory of one process, which does not outlive its database.
 *
 * Instead of: reading and writing the whole row for every list. Gains 3.5 to 4 x on a page of tickets
 * (`node bench/tricks.ts`); `tickets/lists/written.test.ts` fails where a change leaves the mark as it was.
 */
export const versionOf = (table: PgTable | string): SQL<string> =>
  tag`${typeof table === 'string' ? tag.identifier(table) : table}.xmin`
