import { within } from '../../platform/events.ts'
import { addressOf, removeFiles } from '../../platform/files/served.ts'
import { contactDeleting } from '../contacts/contacts.events.ts'
import { dropChat, phoneFiles } from './simulator.queries.ts'

export const reacts = [
  phoneFiles,

  within(contactDeleting, async (tx, { addresses }) => {
    const gone = await dropChat(tx, addresses)
    await removeFiles(
      tx,
      gone.flatMap(({ content }) => ('key' in content && content.key ? addressOf(content.key) : [])),
    )
  }),
]
