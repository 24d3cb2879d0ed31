import { type Carried, carried } from '../../platform/postgres/transfer/carried.ts'

export const carriedOfContacts: Carried[] = [
  carried('contacts', {
    plain: ['cloud_id'],
  }),
]
