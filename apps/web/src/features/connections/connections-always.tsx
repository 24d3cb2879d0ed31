import { useEffect } from 'react'
import { useUser } from '../../platform/session.tsx'
import { followConnections } from './connections.live.ts'

export function ConnectionsAlways() {
  const { companyId } = useUser()

  useEffect(followConnections, [companyId])
  return null
}
