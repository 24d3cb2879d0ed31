import {
  PgDatabase,
  PgDialect,
  PgPreparedQuery,
  type PgQueryResultHKT,
  PgSession,
  type SelectedFieldsOrdered,
} from 'drizzle-orm/pg-core'
import { Column, fillPlaceholders, getTableName, is, type Query, SQL, Subquery } from './sql.ts'

/** What queries are written against: Drizzle on an open transaction of either carrier. */
export type Sql = PgDatabase<PgQueryResultHKT, Record<string, never>>

/** Runs one statement. Times come as the database writes them. */
export type Run = (
  text: string,
  values: unknown[],
  rowMode: 'array' | 'object',
) => Promise<{ rows: unknown[] }>

const dialect = new PgDialect()

/** How many statements a session has sent: what `together` waits for. */
const sent = new WeakMap<Sql, { count: number }>()

/**
 * Sends several statements in one piece and in this order, instead of waiting for each. Every piece of work asks the
 * database one thing, straight away; when one fails, so does the whole.
 */
export async function together<Work extends (() => PromiseLike<unknown>)[]>(
  sql: Sql,
  ...work: Work
): Promise<{ [Index in keyof Work]: Awaited<ReturnType<Work[Index]>> }> {
  const statements = sent.get(sql)!
  const answers: Promise<unknown>[] = []
  for (const ask of work) {
    const before = statements.count
    const answer = Promise.resolve(ask())
    answer.catch(() => {})
    answers.push(answer)
    // A query leaves within a few microtasks of being asked for; the next may only be asked then.
    for (let turn = 0; statements.count === before; turn++) {
      if (turn > TURNS) throw new Error('this work asks the database nothing at once')
      await null
    }
  }
  return Promise.all(answers) as never
}

const TURNS = 20

/**
 * Drizzle over `run`. Its own drivers decide for every value of every row how to read it; here that is decided once
 * a statement, which is a third of what a list costs.
 */
export function sqlOver(run: Run): Sql {
  const statements = { count: 0 }
  const session = new Session((...given) => {
    statements.count++
    return run(...given)
  })
  const sql: Sql = new PgDatabase(dialect, session, undefined)
  sent.set(sql, statements)
  return sql
}

class Session extends PgSession {
  readonly run: Run

  constructor(run: Run) {
    super(dialect)
    this.run = run
  }

  override prepareQuery(query: Query, fields: SelectedFieldsOrdered | undefined) {
    return new Statement(this.run, query, fields) as unknown as PgPreparedQuery<never>
  }

  override transaction(): Promise<never> {
    throw new Error('the transaction is open already')
  }
}

class Statement extends PgPreparedQuery<{ execute: unknown; all: unknown; values: unknown }> {
  /** Set by Drizzle: which joined tables always have a row. */
  joinsNotNullableMap?: Record<string, boolean>
  readonly run: Run
  readonly fields: SelectedFieldsOrdered | undefined
  read: ((row: unknown[]) => unknown) | undefined

  constructor(run: Run, query: Query, fields: SelectedFieldsOrdered | undefined) {
    super(query, undefined, undefined)
    this.run = run
    this.fields = fields
  }

  async execute(placeholders: Record<string, unknown> = {}) {
    const values = fillPlaceholders(this.query.params, placeholders)
    if (!this.fields) return this.run(this.query.sql, values, 'object')
    this.read ??= reader(this.fields, this.joinsNotNullableMap)
    const { rows } = await this.run(this.query.sql, values, 'array')
    return (rows as unknown[][]).map(this.read)
  }
}

type Decode = ((value: unknown) => unknown) | null
type Place = { name: string; index: number; decode: Decode }
type Group = { name: string; absentAt: number; places: Place[] }

/** How a row becomes what was selected: values by name, and one object a joined table, null where it has no row. */
function reader(fields: SelectedFieldsOrdered, certain: Record<string, boolean> | undefined) {
  const places: Place[] = []
  const groups: Group[] = []
  for (const [index, { path, field }] of fields.entries()) {
    const [first, second] = path as [string, string?]
    const place = { name: second ?? first, index, decode: decoder(field) }
    if (second === undefined) places.push(place)
    else if (path.length > 2) throw new Error(`too deep a selection: ${path.join('.')}`)
    else {
      const group = groups.find(({ name }) => name === first)
      if (group) group.places.push(place)
      else groups.push({ name: first, absentAt: absentAt(fields, index, first, certain), places: [place] })
    }
  }
  return (row: unknown[]) => {
    const result: Record<string, unknown> = {}
    fillIn(result, places, row)
    for (const { name, absentAt, places } of groups)
      result[name] = absentAt >= 0 && row[absentAt] === null ? null : fillIn({}, places, row)
    return result
  }
}

function fillIn(target: Record<string, unknown>, places: Place[], row: unknown[]) {
  for (const { name, index, decode } of places) {
    const value = row[index]
    target[name] = value === null || !decode ? value : decode(value)
  }
  return target
}

/** The column whose null says that a join found nothing; -1 when that cannot be. */
function absentAt(
  fields: SelectedFieldsOrdered,
  index: number,
  name: string,
  certain: Record<string, boolean> | undefined,
) {
  const tables = new Set(
    fields
      .filter(({ path }) => path.length === 2 && path[0] === name)
      .map(({ field }) => (is(field, Column) ? getTableName(field.table) : '')),
  )
  const [table] = tables
  return certain && table && tables.size === 1 && !certain[table] ? index : -1
}

function decoder(field: SelectedFieldsOrdered[number]['field']): Decode {
  const by = is(field, Column)
    ? field
    : is(field, SQL)
      ? decoderOf(field)
      : decoderOf(is(field, Subquery) ? field._.sql : (field as SQL.Aliased).sql)
  // Numbers, texts, truth values and JSON come ready from both carriers.
  if (is(by as Column, Column) && READY.has((by as Column).columnType)) return null
  return value => by.mapFromDriverValue(value)
}

const decoderOf = (sql: SQL) =>
  (sql as unknown as { decoder: { mapFromDriverValue(value: unknown): unknown } }).decoder

const READY = new Set(['PgInteger', 'PgText', 'PgUUID', 'PgBoolean', 'PgJsonb', 'PgVarchar'])
