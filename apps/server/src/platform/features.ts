import type { Listener, Nudge, Recorder } from './events.ts'
import type { Guard, Raw, Served } from './http/routes.ts'
import type { Join, Live } from './live/live.ts'
import type { LateIndex } from './postgres/late-indexes.ts'
import type { Due } from './work/due.ts'
import type { Chore, Job } from './work/jobs.ts'
import type { Lifetime } from './work/retention.ts'

/** What a feature brings: its index.ts exports it, features.ts lists it, the platform mounts it. */
export interface Feature {
  name: string
  routes?: Served[]
  /** Run before any call of a session; they refuse. */
  guards?: Guard[]
  /** Calls outside the contract, whose shape another system decides. */
  raw?: Raw[]
  live?: Live[]
  joins?: Join[]
  reacts?: Listener[]
  records?: Recorder[]
  nudges?: Nudge[]
  jobs?: Job<object>[]
  chores?: Chore[]
  lifetimes?: Lifetime[]
  due?: Due[]
  lateIndexes?: LateIndex[]
}
