import { unknownPassword } from '../../platform/access/passwords.ts'
import { type Carried, carried } from '../../platform/postgres/transfer/carried.ts'

export const carriedOfUsers: Carried[] = [
  carried('users', {
    // no user knows it: each asks for a new one at the login
    fresh: { password_hash: unknownPassword },
    refers: { whatsapp_id: 'whatsapps' },
    set: { master: '0' },
  }),
  carried('former_users', {
    refers: { id: 'users' },
  }),
]
