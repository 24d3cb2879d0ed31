import { useEffect } from 'react'
import { useSession } from '../../platform/session.tsx'
import { followUsers } from './users.live.ts'

/** The own record and its rights change on the screen as an admin changes them. */
export function UsersAlways() {
  const { update } = useSession()
  useEffect(() => followUsers(update), [update])
  return null
}
