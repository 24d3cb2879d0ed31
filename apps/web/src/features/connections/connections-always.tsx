import { useEffect } from 'react'
import { followConnections } from './connections.live.ts'

export function ConnectionsAlways() {
  useEffect(followConnections, [])
  return null
}
