import { useEffect, useRef } from 'react'
import { askAgain } from '../../platform/query.ts'
import { useSession, useViewer } from '../../platform/session.tsx'
import { followUsers } from './users.live.ts'

/** The own record and its rights change on the screen as an admin changes them. */
export function UsersAlways() {
  const { update } = useSession()
  useEffect(() => followUsers(update), [update])
  const { queueIds, profile, master, authorization } = useViewer()
  const rights = JSON.stringify([queueIds, profile, master, authorization])
  const before = useRef(rights)
  useEffect(() => {
    if (before.current === rights) return
    before.current = rights
    // visibility has changed: rows are added or removed in every list
    void askAgain()
  }, [rights])
  return null
}
