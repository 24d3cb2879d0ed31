import type { Sql } from '../../platform/postgres/db.ts'
import type { DueTools } from '../../platform/work/due.ts'
import { workOff } from '../../platform/work/due-rows.ts'
import { dropDemoMark } from '../companies/companies.settings.queries.ts'
import { keepFormer } from './clients.former.queries.ts'
import {
  deleteClient,
  deleteJobsOf,
  deleteSome,
  isAbandoned,
  leavingCompanies,
  lockLeaving,
  proveGone,
  type Reference,
  tenantTables,
} from './clients.queries.ts'

/** How many rows of one table one commit deletes, so that other transactions do not wait. */
const AT_ONCE = 2_000

/** What revenue is read from: deleted in the commit that copies its figures, so that no month loses or doubles any. */
const REVENUE = ['payment_refunds', 'payments', 'invoices']

/** Companies that a master deleted, one after the other. */
export const eraseLeaving = (tools: DueTools): Promise<boolean> =>
  workOff(tools, {
    name: 'clients',
    atOnce: 1,
    find: leavingCompanies,
    run: (_scope, { companyId }) => erase(tools, companyId),
  })

/**
 * Deletes everything of one company that a master deleted: its rows a few at a time, referencing tables first, then its
 * jobs, its files, and itself; what past months of revenue need of it is copied in the commit that deletes it. After an
 * interruption it starts again and finds less to do. The lock of the company's row keeps a second worker away.
 */
async function erase(
  { scopes, config, files, log, stopping }: DueTools,
  companyId: number,
): Promise<boolean> {
  const platform = scopes.platform()
  const step = (work: (sql: Sql) => Promise<number>) =>
    platform.transaction(async sql => ((await lockLeaving(sql, companyId)) ? work(sql) : null))
  const { names, references } = await platform.transaction(tenantTables)
  const tables = childrenFirst(names, references)
  const before = await files.sizeOf(companyId)
  let rows = 0
  const kept = withParents(REVENUE, references)
  for (const table of tables.filter(name => !kept.has(name))) {
    let gone: number | null = AT_ONCE
    while (gone === AT_ONCE) {
      if (stopping()) return false
      gone = await step(sql => deleteSome(sql, table, companyId, AT_ONCE))
      rows += gone ?? 0
    }
    if (gone === null) return false
  }
  await files.removeAll(companyId)
  const last = { tables, companyId, zone: config.tzDefault }
  const left = await step(sql => deleteLast(sql, last))
  if (left === null) return false
  // files that were being written meanwhile
  await files.removeAll(companyId)
  const { files: filesLeft } = await files.sizeOf(companyId)
  log.info(
    {
      companyId,
      tables: tables.length,
      rows: rows + left,
      files: before.files,
      bytes: before.bytes,
      filesLeft,
    },
    'a company was deleted with everything of it',
  )
  return true
}

/** Deletes what is left, and the company itself. Answers how many rows that were. */
async function deleteLast(
  sql: Sql,
  { tables, companyId, zone }: { tables: string[]; companyId: number; zone: string },
): Promise<number> {
  const isPast = !(await dropDemoMark(sql, companyId)) && !(await isAbandoned(sql, companyId))
  if (isPast) await keepFormer(sql, { companyId, zone })
  // beside revenue these are counters of deleted rows, which were written meanwhile
  let rows = 0
  for (const table of tables) rows += await deleteSome(sql, table, companyId, null)
  await deleteJobsOf(sql, companyId)
  await deleteClient(sql, companyId)
  await proveGone(sql, tables, companyId)
  return rows
}

/** With all that they refer to, which cannot be deleted before them. */
function withParents(names: string[], references: Reference[]): Set<string> {
  const found = new Set(names)
  // those that are added are visited, too
  for (const name of found) for (const { child, parent } of references) if (child === name) found.add(parent)
  return found
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
