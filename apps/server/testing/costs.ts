import pg from 'pg'
import { traceNow } from '../src/platform/observe/trace.ts'

/** One statement that was sent for a request, and how its transaction began. */
export interface SentStatement {
  trace: string | undefined
  /** With what was set in it until then. */
  begin: string
  text: string
  values: unknown[]
}

/** What a request costs its database, without a clock. */
export interface Cost {
  statements: number
  /** Pages of 8 kB that its reads looked at, in memory or not. */
  blocks: number
  /** Rows that its reads looked at in vain. */
  discarded: number
}

const SETS = /^\s*(set local|select set_config)\b/

/** Records what all connections of this process send, until `stop`. */
export function recordStatements() {
  const sent: SentStatement[] = []
  const begins = new WeakMap<object, string>()
  const query = pg.Client.prototype.query
  pg.Client.prototype.query = function (this: pg.Client, ...given: unknown[]) {
    const [asked] = given as [string | { text: string; values?: unknown[] }]
    if (typeof asked === 'string' && asked.startsWith('begin')) begins.set(this, asked)
    if (typeof asked === 'object' && asked.text) {
      const begin = begins.get(this) ?? 'begin'
      sent.push({ trace: traceNow(), begin, text: asked.text, values: asked.values ?? [] })
      // the role, whose policies are part of each plan, and the settings of the planner
      if (SETS.test(asked.text)) begins.set(this, `${begin}; ${asked.text}`)
    }
    return (query as (...all: unknown[]) => unknown).apply(this, given)
  } as typeof query
  return {
    of: (trace: string) => sent.filter(one => one.trace === trace),
    all: () => sent,
    stop: () => {
      pg.Client.prototype.query = query
    },
  }
}

/** Asks each statement that reads once more, under the settings it had and with a generic plan. */
export async function costOf(client: pg.Client, sent: SentStatement[]): Promise<Cost> {
  const cost: Cost = { statements: sent.length, blocks: 0, discarded: 0 }
  for (const one of sent.filter(
    ({ text }) =>
      /^\s*(select|with)\b/i.test(text) && !SETS.test(text) && !/\bfor (no key )?update\b/i.test(text),
  )) {
    const plans = await plansOf(client, one)
    cost.blocks += Math.min(...plans.map(blocksIn))
    cost.discarded += Math.min(...plans.map(discardedIn))
  }
  return cost
}

interface Plan {
  'Node Type': string
  'Shared Hit Blocks'?: number
  'Shared Read Blocks'?: number
  'Rows Removed by Filter'?: number
  'Rows Removed by Index Recheck'?: number
  'Actual Loops'?: number
  Plans?: Plan[]
}

/**
 * A statement whose `with` writes runs those parts at its end: its own node counts none of them. What a write looks at is left
 * out, since it depends on how full the pages of the indexes are.
 */
const blocksIn = (plan: Plan): number =>
  (plan['Shared Hit Blocks'] ?? 0) + (plan['Shared Read Blocks'] ?? 0) ||
  (plan.Plans ?? [])
    .filter(one => one['Node Type'] !== 'ModifyTable')
    .reduce((sum, one) => sum + blocksIn(one), 0)

const discardedIn = (plan: Plan): number =>
  ((plan['Rows Removed by Filter'] ?? 0) + (plan['Rows Removed by Index Recheck'] ?? 0)) *
    (plan['Actual Loops'] ?? 1) +
  (plan.Plans ?? []).reduce((sum, one) => sum + discardedIn(one), 0)

/**
 * Executed twice: the first one may also read the catalogs, which a connection forgets whenever other databases of the server
 * are made and dropped faster than it follows.
 */
async function plansOf(client: pg.Client, { begin, text, values }: SentStatement): Promise<Plan[]> {
  await client.query(`${begin}; set local plan_cache_mode = force_generic_plan`)
  try {
    await client.query(`prepare counted as ${text}`)
    const given = values.length > 0 ? `(${values.map(literal).join()})` : ''
    const executed = `explain (analyze, buffers, timing off, format json) execute counted${given}`
    await client.query('savepoint prepared')
    const first = await client.query(executed)
    await client.query('rollback to prepared')
    const again = await client.query(executed)
    return [first, again].map(({ rows }) => rows[0]['QUERY PLAN'][0].Plan)
  } finally {
    await client.query('rollback; deallocate all')
  }
}

const literal = (value: unknown): string => {
  if (value === null || value === undefined) return 'null'
  if (Array.isArray(value))
    return pg.escapeLiteral(`{${value.map(one => JSON.stringify(String(one))).join()}}`)
  return pg.escapeLiteral(
    value instanceof Date
      ? value.toISOString()
      : typeof value === 'object'
        ? JSON.stringify(value)
        : String(value),
  )
}

/** How the server would do it, as JSON, without doing it. */
export async function plansIn(client: pg.Client, { begin, text, values }: SentStatement): Promise<string> {
  await client.query(begin)
  try {
    await client.query(`prepare counted as ${text}`)
    const given = values.length > 0 ? `(${values.map(literal).join()})` : ''
    const { rows } = await client.query(`explain (format json) execute counted${given}`)
    return JSON.stringify(rows[0]['QUERY PLAN'], null, 1)
  } finally {
    await client.query('rollback; deallocate all')
  }
}
