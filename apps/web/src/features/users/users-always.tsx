import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { askAgain } from '../../platform/query.ts'
import { useSession, useUser, useViewer } from '../../platform/session.tsx'
import { ownRecord } from './users.api.ts'
import { followUsers } from './users.live.ts'

/** The own record and its rights change on the screen as an admin changes them, also during a gap in the connection. */
export function UsersAlways() {
  const { update } = useSession()
  const { data: own } = useQuery(ownRecord(useUser()))
  useEffect(() => update(own), [own, update])
  useEffect(followUsers, [])
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
