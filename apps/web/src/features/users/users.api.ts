import { type User, users } from '@balcao/contract/users.ts'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../platform/call.ts'

type Preference = Partial<Pick<User, 'volume' | 'enableGreeting' | 'showAllTickets' | 'signMessage'>>

/** Saves one preference the way the documents say: the whole record with the changed flag. */
export const savePreference = (user: User, changed: Preference): Promise<User> =>
  call(users.change, {
    params: { userId: user.id },
    body: {
      name: user.name,
      email: user.email,
      profile: user.profile,
      queueIds: user.queues.map(queue => queue.id),
      whatsappId: user.whatsappId,
      ...changed,
    },
  })

export const saveProfile = (
  user: User,
  changed: { name: string; email: string; password?: string; greetingMessage: string },
) => call(users.change, { params: { userId: user.id }, body: changed })

export const userChoices = queryOptions({ queryKey: ['users', 'choices'], queryFn: () => call(users.all) })
