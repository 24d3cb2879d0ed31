import type { Due } from './due.ts'
import type { Listener, Nudge, Recorder } from './events.ts'
import type { Chore, Job } from './jobs.ts'
import type { Join, Live } from './live.ts'
import type { Guard, Raw, Served } from './routes.ts'

/** What a feature brings: its index.ts says it, features.ts lists it, the platform does the rest. */
export interface Feature {
  name: string
  routes?: Served[]
  /** Asked before any call of a session. */
  guards?: Guard[]
  /** Calls outside the contract, whose shape others decided. */
  raw?: Raw[]
  live?: Live[]
  joins?: Join[]
  reacts?: Listener[]
  records?: Recorder[]
  nudges?: Nudge[]
  jobs?: Job<never>[]
  chores?: Chore[]
  due?: Due[]
}
