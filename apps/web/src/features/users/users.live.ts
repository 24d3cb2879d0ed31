import { userAuthorizationChannel } from '@balcao/contract/permissions.ts'
import { companyUserChannel, userChannel } from '@balcao/contract/users.ts'
import { followList } from '../../platform/lists.ts'
import { listen } from '../../platform/live.ts'
import { keepOwnRecord } from './users.api.ts'

/**
 * Lists of colleagues are refetched when one changes or gets other rights; the own record is applied as
 * pushed.
 */
export function followUsers(): () => void {
  const stops = [
    // pushes of tags come under this name too
    listen(userChannel, push => push.user && keepOwnRecord(push.user)),
    followList(companyUserChannel, ['users']),
    followList(userAuthorizationChannel, ['users']),
  ]
  return () => {
    for (const stop of stops) stop()
  }
}
