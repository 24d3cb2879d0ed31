import { within } from '../../platform/events.ts'
import { fileAsked } from '../../platform/files/served.ts'
import { userDeleting } from '../users/users.events.ts'
import { fileInChat } from './chat.queries.ts'
import { partFromAll } from './chat.rooms.actions.ts'
import { chatFiles } from './chat.rooms.queries.ts'

export const reacts = [
  chatFiles,
  within(userDeleting, (tx, { userId }) => partFromAll(tx, userId)),
  // an admin who is not in the room reads none of its files
  within(fileAsked, async (tx, asked) => {
    const { isNamed, isMember } = await fileInChat(tx, asked.address)
    if (isNamed && !isMember) asked.isRefused = true
  }),
]
