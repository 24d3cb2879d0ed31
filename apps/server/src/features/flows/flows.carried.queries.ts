import { type Carried, carried } from '../../platform/postgres/transfer/carried.ts'

export const carriedOfFlows: Carried[] = [
  carried('flows', {
    plain: ['flow_actions'],
  }),
  carried('flow_runs', {
    plain: ['cause'],
    refers: { flow_id: 'flows', user_id: 'users' },
    set: { ended_at: 'coalesce(r.ended_at, now())' },
  }),
]
