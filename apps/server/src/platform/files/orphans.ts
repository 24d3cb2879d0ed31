import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import type { Logger } from 'pino'
import { databaseNow } from '../clock.ts'
import { event, type Within, within } from '../events.ts'
import { and, asc, eq, gt, isNotNull, rowsFrom, type SQL, sql as tag } from '../postgres/sql.ts'
import type { PlatformScope } from '../scope.ts'
import { chore, eachByItself } from '../work/jobs.ts'
import type { Files } from './files.ts'
import { addressOf } from './served.ts'

/** A file is referenced by a commit within minutes after it; a call that waits is answered long before. */
const AGE_MS = 24 * 3_600_000

/**
 * Asks for the addresses of all files that rows of the company name, within the transaction that asks. Each feature whose
 * rows reference files has to name them, or they are removed.
 */
export const filesNamed = event<{ name(addresses: (string | null)[]): void }>('files.named')

/** So many rows are read at a time. */
const ROWS = 5_000

/** Rows of this table name files by `address` (one, or a list), wherever it is not null; they are gone through by their key. */
export const namesFiles = (
  table: PgTable & { companyId: PgColumn; id: PgColumn },
  address: SQL | PgColumn,
): Within =>
  within(filesNamed, async (tx, { name }) => {
    for (let last: unknown = null; ; ) {
      const rows = await tx.sql
        .select({ id: table.id, address: tag<string | (string | null)[]>`${address}` })
        .from(table)
        .where(
          and(
            eq(table.companyId, tx.companyId),
            isNotNull(address),
            last === null ? undefined : gt(table.id, last),
          ),
        )
        .orderBy(asc(table.id))
        .limit(ROWS)
      name(rows.flatMap(row => row.address))
      if (rows.length < ROWS) return
      last = rows.at(-1)!.id
    }
  })

/**
 * Compares the files of each company with the rows and the jobs that name them, and removes unreferenced ones
 * that are older than a day: of calls whose answer got lost, and of processes that died between a file and its row.
 */
export const orphans = chore('files.removeOrphans', '11 2 * * *', async (scopes, _config, { files, log }) => {
  const platform = scopes.platform()
  const companies = await platform.transaction(sql =>
    rowsFrom<{ id: number }>(sql, tag`select id from companies where leaving_at is null order by id`),
  )
  const remove = ({ id }: { id: number }) => removeOrphans(platform, files, log, id)
  await eachByItself(companies, remove, 'to remove the files of a company that nobody names')
})

async function removeOrphans(platform: PlatformScope, files: Files, log: Logger, companyId: number) {
  const old = new Set<string>()
  for await (const { key, writtenAt } of files.list(companyId))
    if (writtenAt < databaseNow() - AGE_MS) old.add(key)
  if (old.size === 0) return
  // jobs first: what one of them brings into a row is named by the one or by the other
  for (const key of await keysInJobs(platform, companyId)) old.delete(key)
  const unnamed = new Set([...old].map(addressOf))
  const name = (addresses: (string | null)[]) => {
    for (const address of addresses) if (address) unnamed.delete(address)
  }
  await platform.inCompany(companyId).list(tx => tx.involve(filesNamed, { name }))
  for (const key of old) if (unnamed.has(addressOf(key))) await files.remove(companyId, key)
  if (unnamed.size > 0) log.info({ companyId, files: unnamed.size }, 'files that nobody names were removed')
}

/** What waiting jobs of a company have to do with files, in whichever field. */
async function keysInJobs(platform: PlatformScope, companyId: number): Promise<string[]> {
  const rows = await platform.transaction(sql =>
    rowsFrom<{ key: string }>(
      sql,
      tag`select distinct found.key[1] as key from pgboss.job j,
          regexp_matches(j.data::text, '[0-9a-f]{32}\\.[a-z0-9]{1,5}', 'g') as found(key)
        where j.state < 'completed' and j.data->>'companyId' = ${String(companyId)}`,
    ),
  )
  return rows.map(({ key }) => key)
}
