import type { Call } from './call.ts'
import { badParameter } from './graph-error.ts'

/** The requested fields, or the default ones; the id is always included. Throws for an unknown field. */
export function pick(call: Call, all: Record<string, unknown>, usual: string[]): Record<string, unknown> {
  const asked = call.query.get('fields')?.split(',').filter(Boolean) ?? usual
  for (const name of asked)
    if (!(name in all)) throw badParameter(`Tried accessing nonexisting field (${name})`)
  return {
    ...Object.fromEntries(asked.filter(name => all[name] !== undefined).map(name => [name, all[name]])),
    id: all.id,
  }
}

/** One page of a list, with the cursors and addresses of those around it. Throws when a cursor is not Graph's. */
export function paged<T>(call: Call, list: T[], show: (one: T) => object, usualLimit = 25) {
  const limit = Math.min(Number(call.query.get('limit') ?? usualLimit) || usualLimit, 1000)
  const after = call.query.get('after')
  const before = call.query.get('before')
  const end = before === null ? undefined : placeOf(before)
  const start = after === null ? Math.max((end ?? limit) - limit, 0) : placeOf(after) + 1
  const page = list.slice(start, Math.min(start + limit, end ?? Number.POSITIVE_INFINITY))
  const last = start + page.length - 1
  const turn = (name: string, cursor: string) => {
    const query = new URLSearchParams(call.query)
    query.delete('after')
    query.delete('before')
    query.set(name, cursor)
    return `https://graph.facebook.com/${call.version}/${call.path.join('/')}?${query}`
  }
  if (page.length === 0) return { data: [] }
  return {
    data: page.map(show),
    paging: {
      cursors: { before: cursorOf(start), after: cursorOf(last) },
      ...(last < list.length - 1 ? { next: turn('after', cursorOf(last)) } : {}),
      ...(start > 0 ? { previous: turn('before', cursorOf(start)) } : {}),
    },
  }
}

const cursorOf = (place: number) => Buffer.from(`cursor ${place}`).toString('base64url')

function placeOf(cursor: string): number {
  const place = /^cursor (\d+)$/.exec(Buffer.from(cursor, 'base64url').toString())?.[1]
  if (!place) throw badParameter('Invalid cursors values')
  return Number(place)
}
