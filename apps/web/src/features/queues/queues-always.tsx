import { useEffect } from 'react'
import { useUser } from '../../platform/session.tsx'
import { followQueues } from './queues.live.ts'

export function QueuesAlways() {
  const { companyId } = useUser()
  // biome-ignore lint/correctness/useExhaustiveDependencies: channels are named with the company
  useEffect(followQueues, [companyId])
  return null
}
