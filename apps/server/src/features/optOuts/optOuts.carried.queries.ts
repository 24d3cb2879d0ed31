import { type Carried, carried } from '../../platform/postgres/transfer/carried.ts'

export const carriedOfOptOuts: Carried[] = [
  carried('opt_outs', {
    plain: ['key'],
  }),
  carried('marketing_choices', {
    plain: ['key'],
  }),
  carried('opt_out_settings', {
    plain: ['words'],
  }),
]
