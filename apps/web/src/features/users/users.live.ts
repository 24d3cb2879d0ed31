import { userAuthorizationChannel } from '@balcao/contract/permissions.ts'
import { companyUserChannel, type SessionUser, userChannel } from '@balcao/contract/users.ts'
import { listen } from '../../platform/live.ts'
import { queryClient } from '../../platform/query.ts'

/** Pickers of colleagues ask again when one changes or gets other rights; the own record is taken as it comes. */
export function followUsers(update: (user: SessionUser) => void): () => void {
  const askAgain = () => void queryClient.invalidateQueries({ queryKey: ['users'] })
  const deaf = [
    listen(userChannel, push => update(push.user)),
    listen(companyUserChannel, askAgain),
    listen(userAuthorizationChannel, askAgain),
  ]
  return () => {
    for (const stop of deaf) stop()
  }
}
