import { type Carried, carried } from '../../platform/postgres/transfer/carried.ts'

export const carriedOfSimulator: Carried[] = [
  carried('simulator_messages', {
    plain: ['external_id', 'said'],
  }),
]
