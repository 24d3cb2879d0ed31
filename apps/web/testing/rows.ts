import type { Route } from '@balcao/contract/kit.ts'
import type { z } from 'zod'
import { type Partly, sample } from './samples.ts'
import { refuse, type Server } from './server.ts'

type Row = { id: number }

/** The calls of a list: those that a screen does not make may be missing. */
interface Calls {
  list: Route
  show?: Route
  create?: Route
  change?: Route
  remove?: Route
}

/**
 * Answers the calls of a list as a server does that keeps its rows: they are found by a search text, added,
 * changed and removed. `as` is the name of the rows in a page, `by` that of their id in an address.
 */
export function keeping<S extends z.ZodType<Row>>(
  calls: Calls,
  { as, by, shape, rows }: { as: string; by: string; shape: S; rows: z.output<S>[] },
) {
  let last = Math.max(0, ...rows.map(({ id }) => id))
  const idOf = (params: unknown) => Number((params as Record<string, unknown>)[by])
  const rowOf = (params: unknown) =>
    rows.find(({ id }) => id === idOf(params)) ?? refuse(404, 'ERR_NOT_FOUND')
  return (server: Server): Server => {
    server.serve(calls.list, ({ query }) => {
      const { searchParam = '' } = query as { searchParam?: string }
      const isFound = (row: Row) =>
        JSON.stringify(Object.values(row)).toLowerCase().includes(searchParam.toLowerCase())
      const found = rows.filter(isFound)
      return { [as]: found, hasMore: false, count: found.length }
    })
    if (calls.show) server.serve(calls.show, ({ params }) => rowOf(params))
    if (calls.create)
      server.serve(calls.create, ({ body }) => {
        const row = sample(shape, { ...(body as object), id: ++last } as Partly<z.output<S>>)
        rows.push(row)
        return row
      })
    if (calls.change) server.serve(calls.change, ({ params, body }) => Object.assign(rowOf(params), body))
    if (calls.remove)
      server.serve(calls.remove, ({ params }) => {
        rows.splice(rows.indexOf(rowOf(params)), 1)
        return {}
      })
    return server
  }
}
