import { unknownPassword } from '../../platform/access/passwords.ts'
import { type Carried, carried, leftBehind } from '../../platform/postgres/transfer/carried.ts'

export const carriedOfUsers: Carried[] = [
  carried('users', {
    // no user knows it: each asks for a new one at the login
    fresh: { password_hash: unknownPassword },
    refers: { whatsapp_id: 'whatsapps' },
    set: { master: '0' },
  }),
  leftBehind('record_edits', 'for forms that are open at the other installation'),
  carried('former_users', {
    refers: { id: 'users' },
  }),
]
