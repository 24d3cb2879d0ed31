import { changedSince, type Seen } from '@balcao/contract/edits.rules.ts'
import { type Route, readJson } from '@balcao/contract/kit.ts'
import { may } from '@balcao/contract/permissions.rules.ts'
import { z } from 'zod'
import { Refusal } from '../errors.ts'
import { event } from '../events.ts'
import { idFrom } from '../ids.ts'
import { sql as tag } from '../postgres/sql.ts'
import { type PlatformScope, type Scope, type Tx, viewerOf } from '../scope.ts'
import { check } from './input.ts'
import { type RouteInput, type Served, type Visit, Written } from './routes.ts'

interface Edit {
  route: Route
  /** As it was sent. */
  sent: unknown
  input: RouteInput<Route>
  visit: Visit
}

/** Inside the transaction of a change: `record` is the id of what a user changed. */
export const recordChanged = event<{ record: string }>('record.changed')

/** Collects who changed a record last. */
export const lastEditAsked = event<{ record: string; found: LastEdit[] }>('record.lastEdit')

interface LastEdit {
  userId: number
  name: string
  at: string
}

export type Edits = ReturnType<typeof openEdits>

/** Changes of records whose writer says what he saw of them: `edits` of their routes. */
export function openEdits(served: Served[]) {
  const readers = new Map(
    served.filter(({ route }) => route.method === 'GET').map(one => [one.route.path, one]),
  )
  for (const { route } of served)
    if (route.edits && !readers.has(route.edits)) throw new Error(`${route.path} edits what nothing reads`)

  /** The scope in which the change is made: its first transaction refuses where the record is another by now. */
  return function scopeOf<S extends Scope | PlatformScope>(scope: S, edit: Edit): S {
    const seen = edit.route.edits ? seenIn(edit.sent) : null
    if (!edit.route.edits || !('viewer' in scope) || !scope.viewer) return scope
    const reader = readers.get(edit.route.edits)!
    const name = `${edit.route.edits} ${JSON.stringify(edit.input.params)}`
    const record = idFrom(name)
    let isChecked = false
    return {
      ...scope,
      async transaction<T>(work: (tx: Tx) => Promise<T>) {
        const result = await scope.transaction(async tx => {
          if (isChecked) return work(tx)
          if (seen) await compare(tx, reader, seen, { ...edit, name, record })
          const result = await work(tx)
          await tx.involve(recordChanged, { record })
          return result
        })
        isChecked = true
        return result
      },
    }
  }
}

/** Under an advisory lock of the record until the commit, so that of two changes the second sees the first. */
async function compare(
  tx: Tx,
  reader: Served,
  seen: Seen,
  { input, visit, name, record }: Edit & { name: string; record: string },
) {
  const { route } = reader
  if (route.needs === 'nobody' || route.needs === 'apiToken' || !may(viewerOf(tx), route.needs))
    throw new Refusal('ERR_NO_PERMISSION')
  const key = `edit ${tx.companyId} ${name}`
  await tx.sql.execute(tag`select pg_advisory_xact_lock(hashtextextended(${key}, 0))`)
  const answer = await reader.handle(tx, { params: input.params, query: {}, body: {}, files: [] }, visit)
  const json = answer instanceof Written ? answer.json : JSON.stringify(route.reply.parse(answer))
  const whole = JSON.parse(json) as Seen
  const current = route.record === undefined ? whole : (whole[route.record] as Seen)
  const changed = changedSince(seen, current, input.body as Seen)
  if (changed.length === 0) return
  const found: LastEdit[] = []
  await tx.involve(lastEditAsked, { record, found })
  const [by = null] = found
  throw new Refusal('ERR_CHANGED_MEANWHILE', { field: changed[0]!, details: { changed, current, by } })
}

const SeenInput = z.record(z.string().max(100), z.unknown())

/** A form has it as text. */
function seenIn(sent: unknown): Seen | null {
  const given = (sent as { seen?: unknown } | undefined | null)?.seen
  if (given === undefined) return null
  const seen = typeof given === 'string' ? readJson(given) : given
  return (check(z.object({ seen: SeenInput }), { seen }) as { seen: Seen }).seen
}
