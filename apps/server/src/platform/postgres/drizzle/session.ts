import {
  PgDatabase,
  PgDialect,
  PgPreparedQuery,
  type PgQueryResultHKT,
  PgSession,
  type SelectedFieldsOrdered,
} from 'drizzle-orm/pg-core'
import { isAftermath } from '../../errors.ts'
import { Column, fillPlaceholders, getTableName, is, type Query, SQL, Subquery } from '../sql.ts'

/** Who waits for the next statement that a session sends. */
const SENT = Symbol('sent')
const LANE = Symbol('lane')

/** What queries are written against: Drizzle on an open transaction. */
export type Sql = PgDatabase<PgQueryResultHKT, Record<string, never>> & {
  [SENT]: (() => void)[]
  [LANE]: (at: number) => Sql
}

/**
 * Another session on the same connection: pieces of work that go on beside each other in one transaction have one each, since
 * `together` keeps the order of what one session sends. The same for the same number, so that it prepares its statements once.
 */
export const sessionOfLane = (sql: Sql, at: number): Sql => sql[LANE](at)

/** Runs one statement. Times come as the database writes them. */
export type Run = (
  text: string,
  values: unknown[],
  rowMode: 'array' | 'object',
) => Promise<{ rows: unknown[] }>

const dialect = new PgDialect()

/**
 * Sends several statements in one piece, instead of waiting for each: the first ones of each piece of work in this order, whatever
 * else it asks when it comes to it. When one fails, so does the whole. Four look-ups are 1.7 x as fast as one after the other
 * (`node bench/tricks.ts`).
 */
export async function together<Work extends (() => PromiseLike<unknown>)[]>(
  sql: Sql,
  ...work: Work
): Promise<{ [Index in keyof Work]: Awaited<ReturnType<Work[Index]>> }> {
  const answers: Promise<unknown>[] = []
  for (const ask of work) {
    const isSent = new Promise<void>(done => sql[SENT].push(done))
    const answer = Promise.resolve(ask())
    answers.push(answer)
    // some statements need longer to be written than others: the next is asked for when this one has left
    const isOver = answer.then(
      () => {},
      () => {},
    )
    await Promise.race([isSent, isOver])
  }
  return (await allEnded(answers)) as never
}

/**
 * `Promise.all` for work within one transaction: it fails when all have ended, since what still asks when its
 * transaction is over asks within that of somebody else. It fails with the reason, not with what followed from that.
 */
export async function allEnded<Work extends PromiseLike<unknown>[] | []>(work: Work) {
  const ended = await Promise.allSettled(work as PromiseLike<unknown>[])
  const reasons = ended.flatMap(one => (one.status === 'rejected' ? [one.reason as unknown] : []))
  const reason = reasons.find(one => !isAftermath(one))
  if (reason !== undefined) throw reason
  return Promise.all(work)
}

/**
 * Drizzle over `run`. Its own drivers decide for every value of every row how to read it; here that is decided once
 * a statement. It leans on classes that drizzle-orm 0.45.4 exports without promising them, and on the decoder of its SQL.
 *
 * Instead of: `drizzle(client)` of drizzle-orm/node-postgres. A list of forty tickets costs 1.46 x less of
 * the processor (`node bench/tricks.ts`); `session.test.ts` compares what both read.
 */
export function sqlOver(run: Run): Sql {
  const asking: (() => void)[] = []
  const session = new Session((...given) => {
    for (const done of asking.splice(0)) done()
    return run(...given)
  })
  const lanes: Sql[] = []
  const lane = (at: number) => {
    lanes[at] ??= sqlOver(run)
    return lanes[at]
  }
  return Object.assign(new PgDatabase(dialect, session, undefined), { [SENT]: asking, [LANE]: lane })
}

/** A statement that is written out, to be run again with other values; it answers its rows. */
export function rawStatement<Row>(sql: Sql, query: SQL) {
  const statement = sql._.session.prepareQuery(dialect.sqlToQuery(query), undefined, undefined, false)
  return {
    execute: async (values?: Record<string, unknown>) =>
      ((await statement.execute(values)) as { rows: Row[] }).rows,
  }
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

/** The column whose null means that a join found nothing; -1 when that cannot be. */
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
  // Numbers, texts, truth values and JSON come ready from pg.
  if (is(by as Column, Column) && READY.has((by as Column).columnType)) return null
  return value => by.mapFromDriverValue(value)
}

const decoderOf = (sql: SQL) =>
  (sql as unknown as { decoder: { mapFromDriverValue(value: unknown): unknown } }).decoder

const READY = new Set(['PgInteger', 'PgText', 'PgUUID', 'PgBoolean', 'PgJsonb', 'PgVarchar'])
