import type { SealedColumn } from './access/sealed.ts'
import type { Signal, Within } from './events.ts'
import type { Guard, Raw, Served } from './http/routes.ts'
import type { Join, Live, Reports } from './live/live.ts'
import type { FigureGroup } from './observe/figures.ts'
import type { LateIndex } from './postgres/late-indexes.ts'
import type { Carried } from './postgres/transfer/carried.ts'
import type { Due } from './work/due.ts'
import type { Chore, Job } from './work/jobs.ts'
import type { Lifetime } from './work/retention.ts'

/**
 * What a feature brings: its index.ts exports it, features.ts lists it, the platform mounts it. Each list holds items of
 * several kinds, in any order; the functions that make them (`serve`, `publish`, `within`, `job` …) set the kind.
 */
export interface Feature {
  name: string
  /** Calls of the contract, calls whose shape another system decides, and what is checked before any call of a session. */
  routes?: (Served | Raw | Guard)[]
  /** What is pushed to screens, the rooms that they may ask for, and what they report. */
  live?: (Live | Join | Reports)[]
  /** What follows events: within their transaction, or a signal after it. */
  reacts?: (Within | Signal)[]
  /** What is done later: jobs of a commit; by the clock, when a row is due, when a row is old; indexes of long tables; what a rotation reseals; what /metrics counts; how tables are carried into another installation. */
  jobs?: (Job<object> | Chore | Due | Lifetime | LateIndex | SealedColumn | FigureGroup | Carried)[]
}

type Item = NonNullable<Feature[Exclude<keyof Feature, 'name'>]>[number]

/** All items of one kind, in the order of the features. */
export function itemsOf<Kind extends Item['kind']>(
  features: Feature[],
  kind: Kind,
): Extract<Item, { kind: Kind }>[] {
  const items: Item[] = features.flatMap(({ routes = [], live = [], reacts = [], jobs = [] }) => [
    ...routes,
    ...live,
    ...reacts,
    ...jobs,
  ])
  return items.filter((item): item is Extract<Item, { kind: Kind }> => item.kind === kind)
}
