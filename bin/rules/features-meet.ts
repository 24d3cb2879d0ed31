import { type Codebase, isTest, type Place, placeOf, type Rule } from './codebase.ts'

/** Internal files of a feature, and the public ones to import instead. */
const closed: Record<Place['side'], Record<string, string>> = {
  server: {
    routes: 'call the action that the route calls',
    live: 'emit an event, or move what both need into a file of its own',
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
/** These decide or publish, they hold no SQL: a table of another feature is read through its queries. */
const withoutSql = ['actions', 'routes', 'live', 'reacts', 'jobs', 'events', 'index']

interface Meeting {
  importer: string
  from: Place
  target: string
  to: Place
}

/** Features meet at actions, queries, rules and events, and ask only those that features.ts names before them. */
export const featuresMeet: Rule = {
  name: 'features meet at their front doors, and ask only those below them',
  find: house => {
    const met = meetings(house)
    const order = groundUp(house)
    return [...met.flatMap(atFrontDoor), ...met.flatMap(one => downwards(one, order))]
  },
}

/** The features in the order of the list in features.ts: each may ask those before it. */
function groundUp({ sources }: Codebase): string[] {
  const list = sources.find(({ path }) => path === 'apps/server/src/features.ts')
  const names = list?.text.match(/= \[([^\]]*)\]/)?.[1] ?? ''
  return names.split(',').map(name => name.trim())
}

function meetings({ sources }: Codebase): Meeting[] {
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

function downwards({ importer, from, target, to }: Meeting, order: string[]): string[] {
  if (from.side === 'web' || to.role === 'events' || isForeignKey(from, to)) return []
  const [mine, theirs] = [order.indexOf(from.feature), order.indexOf(to.feature)]
  if (mine > theirs || theirs === -1) return []
  return [
    `${importer} imports ${target}: ${from.feature} stands below ${to.feature} in features.ts, so it may only announce; ${to.feature} reacts`,
  ]
}

/** Rows point where they must, and two tables may point at each other. */
const isForeignKey = (from: Place, to: Place) => from.role === 'table' && to.role === 'table'
