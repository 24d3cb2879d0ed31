import { type Carried, carried, leftBehind } from '../../platform/postgres/transfer/carried.ts'

export const carriedOfAvailability: Carried[] = [
  carried('user_availability', { plain: ['cause'] }),
  carried('availability_spells', { plain: ['cause'] }),
  leftBehind('user_presence', 'screens of the other installation'),
  carried('user_hours', { plain: ['working', 'login'] }),
]
