import type { Sql } from '../../platform/db.ts'
import type { DueTools } from '../../platform/due.ts'
import { and, eq, isNotNull, rowsFrom, sql as tag } from '../../platform/sql.ts'
import { companies } from '../companies/companies.table.ts'

/** So many rows of one table go in one commit, so that others need not wait. */
const AT_ONCE = 2_000

type Claimed = { companyId: number }

/**
 * Takes away everything of one company that a master deleted: its rows a few at a time, those that point at others
 * first, then its jobs, its files, and itself. Broken off it is begun again and finds less to do. Workers meet at its row:
 * whoever does not get it leaves it to the other.
 */
export async function eraseLeaving({ scopes, files, log, stopping }: DueTools): Promise<boolean> {
  const platform = scopes.platform()
  const leaving = await platform.transaction(leavingCompany)
  if (!leaving) return false
  const { companyId } = leaving
  const step = (work: (sql: Sql) => Promise<number>) =>
    platform.transaction(async sql => ((await hold(sql, companyId)) ? work(sql) : null))
  const tables = await platform.transaction(tenantTables)
  const before = await files.sizeOf(companyId)
  let rows = 0
  for (const table of tables) {
    let gone: number | null = AT_ONCE
    while (gone === AT_ONCE) {
      if (stopping()) return false
      gone = await step(sql => deleteSome(sql, table, companyId))
      rows += gone ?? 0
    }
    if (gone === null) return false
  }
  await files.removeAll(companyId)
  const done = await step(async sql => {
    // what counts the rows of others wrote down that they went
    for (const table of tables) await deleteSome(sql, table, companyId)
    await deleteJobs(sql, companyId)
    await sql.delete(companies).where(eq(companies.id, companyId))
    await proveGone(sql, tables, companyId)
    return 1
  })
  if (done === null) return false
  // what was being written while its rows went
  await files.removeAll(companyId)
  const { files: filesLeft } = await files.sizeOf(companyId)
  log.info(
    {
      companyId,
      tables: tables.length,
      rows,
      files: before.files,
      bytes: before.bytes,
      filesLeft,
    },
    'a company was deleted with everything of it',
  )
  return true
}

async function leavingCompany(sql: Sql): Promise<Claimed | null> {
  const [row] = await sql
    .select({ companyId: companies.id })
    .from(companies)
    .where(and(isNotNull(companies.leavingAt), noLease, nothingToCancel))
    .orderBy(companies.leavingAt)
    .limit(1)
  return row ?? null
}

/** Its connections have let go: until then they still write. */
const noLease = tag`not exists (
  select from whatsapp_leases l where l.company_id = companies.id and l.expires_at > now())`

/** Nobody can pay at the provider for what is gone here; one that does not answer is waited for a day. */
const nothingToCancel = tag`not exists (
  select from charges c where c.company_id = companies.id and c.state in ('wanted', 'open', 'unwanted')
    and (c.charge_id is not null or c.attempts > 0) and companies.leaving_at > now() - interval '1 day')`

/** False where another worker holds it, or it is gone. */
async function hold(sql: Sql, companyId: number): Promise<boolean> {
  const [row] = await sql
    .select({ id: companies.id })
    .from(companies)
    .where(eq(companies.id, companyId))
    .for('update', { skipLocked: true })
  return row !== undefined
}

interface Reference {
  child: string
  parent: string
}

/** Every table with a company, as the database itself knows them, those that point at others before those. */
async function tenantTables(sql: Sql): Promise<string[]> {
  const named = await namesOf<{ name: string }>(
    sql,
    `select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
       and a.attname = 'company_id' and not a.attisdropped order by 1`,
  )
  const references = await namesOf<Reference>(
    sql,
    `select distinct child.relname as child, parent.relname as parent from pg_constraint k
     join pg_class child on child.oid = k.conrelid join pg_class parent on parent.oid = k.confrelid
     where k.contype = 'f' and child.oid <> parent.oid`,
  )
  return childrenFirst(
    named.map(({ name }) => name),
    references,
  )
}

/** In a circle, the references within it clear themselves. */
function childrenFirst(names: string[], references: Reference[]): string[] {
  const ordered = new Set<string>()
  const entered = new Set<string>()
  const enter = (name: string) => {
    if (entered.has(name)) return
    entered.add(name)
    for (const { child, parent } of references) if (parent === name && names.includes(child)) enter(child)
    ordered.add(name)
  }
  for (const name of names) enter(name)
  return [...ordered]
}

async function deleteSome(sql: Sql, table: string, companyId: number): Promise<number> {
  const name = tag.identifier(table)
  const rows = await rowsFrom<{ many: number }>(
    sql,
    tag`with gone as (
      delete from ${name} where (tableoid, ctid) in (
        select tableoid, ctid from ${name} where company_id = ${companyId} limit ${AT_ONCE}) returning 1
    ) select count(*)::int as many from gone`,
  )
  return rows[0]!.many
}

/** Looks through every table for what is left of it, before the commit. Throws where anything is: nothing counts as done then. */
async function proveGone(sql: Sql, tables: string[], companyId: number): Promise<void> {
  const counts = tables.map(
    table =>
      tag`select ${table}::text as name, count(*)::int as many from ${tag.identifier(table)} where company_id = ${companyId}`,
  )
  const left = await rowsFrom<{ name: string; many: number }>(
    sql,
    tag`select * from (${tag.join(counts, tag` union all `)}) as counted where many > 0`,
  )
  if (left.length > 0) throw new Error(`rows of company ${companyId} are left: ${JSON.stringify(left)}`)
}

const deleteJobs = (sql: Sql, companyId: number) =>
  sql.execute(tag`delete from pgboss.job where data->>'companyId' = ${String(companyId)}`)

async function namesOf<Row>(sql: Sql, statement: string): Promise<Row[]> {
  const rows = await rowsFrom<Row>(sql, tag.raw(statement))
  return rows
}
