import { type House, isTest, type Place, placeOf, type Rule } from './house.ts'

/** From the ground up; a feature asks only those below it and hears of the others by event. */
const order = ['companies', 'queues', 'users', 'contacts', 'connections', 'tickets', 'messages']
const top = ['bots', 'campaigns', 'schedules']

const level = (feature: string) =>
  top.includes(feature) ? order.length : order.includes(feature) ? order.indexOf(feature) : null

/** What stands behind the front door, and where those outside knock instead. */
const closed: Record<Place['side'], Record<string, string>> = {
  server: {
    routes: 'call the action that the route calls',
    live: 'emit an event, or move what both need into a file of its own',
    joins: 'move what both need into a file of its own',
    reacts: 'call the action that it calls',
    jobs: 'call the action that enqueues it',
    index: 'import the file that holds it',
  },
  web: {
    live: 'import FEATURE.api.ts',
    text: 'texts are told where they are shown: repeat the words',
    index: 'import the file that holds it',
  },
}
/** These decide or tell, they hold no SQL: a table of another feature is read through its queries. */
const withoutSql = ['actions', 'routes', 'live', 'joins', 'reacts', 'jobs', 'events', 'index']

interface Meeting {
  importer: string
  from: Place
  target: string
  to: Place
}

/** Features meet at actions, queries, rules and events, without cycles. */
export const featuresMeet: Rule = {
  name: 'features meet at their front doors, without cycles',
  find: house => {
    const met = meetings(house)
    return [...met.flatMap(atFrontDoor), ...met.flatMap(downwards), ...cycles(met)]
  },
}

function meetings({ sources }: House): Meeting[] {
  return sources
    .filter(({ path }) => !isTest(path))
    .flatMap(({ path, imports }) =>
      imports.flatMap(target => {
        const from = placeOf(path)
        const to = placeOf(target)
        return from && to && from.side === to.side && from.feature !== to.feature
          ? [{ importer: path, from, target, to }]
          : []
      }),
    )
}

function atFrontDoor({ importer, from, target, to }: Meeting): string[] {
  const instead = closed[to.side][to.role]
  if (instead) return [`${importer} imports ${target}, which is private to ${to.feature}: ${instead}`]
  if (to.role === 'table' && withoutSql.includes(from.role))
    return [
      `${importer} imports ${target}: ask ${to.feature}.queries.ts, or move the SQL into a queries file`,
    ]
  return []
}

function downwards({ importer, from, target, to }: Meeting): string[] {
  if (from.side === 'web' || to.role === 'events' || isForeignKey(from, to)) return []
  const [mine, theirs] = [level(from.feature), level(to.feature)]
  if (mine === null || theirs === null || mine > theirs) return []
  return [
    `${importer} imports ${target}: ${from.feature} stands below ${to.feature}, so it may only announce; ${to.feature} reacts`,
  ]
}

/** Rows point where they must, and two tables may point at each other. */
const isForeignKey = (from: Place, to: Place) => from.role === 'table' && to.role === 'table'

function cycles(met: Meeting[]): string[] {
  const asks = new Map<string, Map<string, string>>()
  for (const { importer, from, to } of met) {
    if (from.side === 'web' || isForeignKey(from, to) || to.role === 'events') continue
    asks.set(from.feature, (asks.get(from.feature) ?? new Map()).set(to.feature, importer))
  }
  const found = new Map<string, string>()
  for (const feature of asks.keys()) {
    const ring = ringFrom(feature, asks)
    const key = ring && [...ring].sort().join()
    if (key && !found.has(key)) found.set(key, asSentence(ring, asks))
  }
  return [...found.values()]
}

/** The shortest way from a feature back to itself; null when there is none. */
function ringFrom(start: string, asks: Map<string, Map<string, string>>): string[] | null {
  const ways = [[start]]
  const seen = new Set<string>()
  for (const way of ways)
    for (const next of asks.get(way.at(-1)!)?.keys() ?? []) {
      if (next === start) return way
      if (!seen.has(next)) ways.push([...way, next])
      seen.add(next)
    }
  return null
}

function asSentence(ring: string[], asks: Map<string, Map<string, string>>): string {
  const steps = ring.map((feature, at) => asks.get(feature)!.get(ring[(at + 1) % ring.length]!)!)
  return `${[...ring, ring[0]].join(' -> ')} is a ring (${steps.join(', ')}): let the lower one announce an event`
}
