import { useEffect } from 'react'
import { useUser } from '../../platform/session.tsx'
import { followConnections } from './connections.live.ts'

export function ConnectionsAlways() {
  const { companyId } = useUser()
  // biome-ignore lint/correctness/useExhaustiveDependencies: channels are named with the company
  useEffect(followConnections, [companyId])
  return null
}
