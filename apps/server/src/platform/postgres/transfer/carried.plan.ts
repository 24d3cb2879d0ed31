import type pg from 'pg'
import type { Carried } from './carried.ts'
import { isPacked } from './company.ts'
import { type Table, tablesOf } from './tables.ts'

/** A table of companies that is carried into another installation; its columns are not quoted. */
export interface PlannedTable extends Table {
  /** Without its schema. */
  plain: string
  how: Partial<Carried>
  /** The table whose ids a column holds. */
  spaces: Record<string, string>
  /** Its rows come in the last commit, with those that they refer to by `withCompany`. */
  isLast: boolean
}

interface ForeignKey {
  child: string
  parent: string
  columns: string[]
  parentColumns: string[]
}

/** The tables of companies in the order in which their rows are inserted: referenced ones first. */
export async function carryingPlan(client: pg.Client, declared: Carried[]): Promise<PlannedTable[]> {
  const tables = (await tablesOf(client)).filter(isPacked)
  const { rows: keys } = await client.query<ForeignKey>(FOREIGN_KEYS)
  const howOf = (plain: string) => declared.find(({ table }) => table === plain) ?? {}
  const planned = tables.map(table => {
    const plain = plainNameOf(table)
    const columns = table.columns.map(({ name, type }) => ({ name: name.replaceAll('"', ''), type }))
    return {
      name: table.name,
      columns,
      plain,
      how: howOf(plain),
      spaces: spacesOf({ plain, columns }, keys, howOf),
      isLast: false,
    }
  })
  return lastBehind(parentsFirst(planned, keys), keys)
}

/** What refers to rows that come in the last commit comes in it, too. */
function lastBehind(ordered: PlannedTable[], keys: ForeignKey[]): PlannedTable[] {
  const last = new Set(ordered.filter(({ how }) => how.withCompany).map(({ plain }) => plain))
  for (const name of last) for (const { child, parent } of keys) if (parent === name) last.add(child)
  const marked = ordered.map(table => ({ ...table, isLast: last.has(table.plain) }))
  return [...marked.filter(({ isLast }) => !isLast), ...marked.filter(({ isLast }) => isLast)]
}

/** Columns of a table that nothing says of whether they hold ids. */
export const openColumns = ({ columns, spaces, how }: PlannedTable): string[] =>
  columns
    .filter(
      ({ name, type }) => type.includes('json') || type.endsWith('[]') || type === 'uuid' || ID.test(name),
    )
    .map(({ name }) => name)
    .filter(name => name !== 'company_id' && !(name in spaces) && !how.plain?.includes(name))
    .filter(name => ![how.inside, how.set, how.fresh].some(rules => rules && name in rules))

const ID = /(^|_)(id|ids|by|key|json|handle|reference|batch|cause)$/

const FOREIGN_KEYS = `
  select c.conrelid::regclass::text as child, c.confrelid::regclass::text as parent,
    array(select a.attname::text from unnest(c.conkey) with ordinality k(n, at)
      join pg_attribute a on a.attrelid = c.conrelid and a.attnum = k.n order by at) as columns,
    array(select a.attname::text from unnest(c.confkey) with ordinality k(n, at)
      join pg_attribute a on a.attrelid = c.confrelid and a.attnum = k.n order by at) as "parentColumns"
  from pg_constraint c where c.contype = 'f' and c.conparentid = 0 and c.connamespace = 'public'::regnamespace`

/** The column that names the company. */
export const companyIn = ({ plain }: Pick<PlannedTable, 'plain'>) =>
  plain === 'companies' ? 'id' : 'company_id'

const plainNameOf = ({ name }: Table) => name.replace('public.', '')

function spacesOf(
  { plain, columns }: Pick<PlannedTable, 'plain' | 'columns'>,
  keys: ForeignKey[],
  howOf: (plain: string) => Partial<Carried>,
) {
  const spaceOf = (table: string, column: string): string | null => {
    const declared = howOf(table).refers?.[column]
    if (declared) return declared
    if (column === 'id') return table
    for (const { child, parent, columns: own, parentColumns } of keys) {
      const at = child === table ? own.indexOf(column) : -1
      const referenced = at < 0 ? undefined : parentColumns[at]
      const found = referenced && referenced !== 'company_id' ? spaceOf(parent, referenced) : null
      if (found) return found
    }
    return null
  }
  const spaces: Record<string, string> = {}
  const own = companyIn({ plain })
  for (const { name } of columns) {
    const space = name === own ? null : spaceOf(plain, name)
    if (space) spaces[name] = space
  }
  return spaces
}

/**
 * Rows come behind those that their ids name, so that ids are given in the order of their own rows: of two tickets the newer
 * one has the higher id here, too. Where tables name each other, the foreign keys decide.
 */
function parentsFirst(tables: PlannedTable[], keys: ForeignKey[]): PlannedTable[] {
  const ordered = new Set<PlannedTable>()
  const under = new Set<string>()
  const named = (name: string) => tables.find(({ plain }) => plain === name)
  const needs = (name: string) => [
    ...(named(name)?.how.after ?? []),
    ...keys.filter(({ child }) => child === name).map(({ parent }) => parent),
  ]
  const waits = (name: string, seen = new Set<string>()): boolean => {
    if (under.has(name) || seen.has(name)) return under.has(name)
    seen.add(name)
    return needs(name).some(before => waits(before, seen))
  }
  const enter = (name: string) => {
    const table = named(name)
    if (!table || under.has(name) || ordered.has(table)) return
    under.add(name)
    for (const before of needs(name)) enter(before)
    for (const space of Object.values(table.spaces)) if (!waits(space)) enter(space)
    under.delete(name)
    ordered.add(table)
  }
  for (const { plain } of tables) enter(plain)
  return [...ordered]
}
