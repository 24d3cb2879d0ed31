import { useEffect } from 'react'
import { useViewer } from '../../platform/session.tsx'
import { followMessages } from './messages.live.ts'

export function MessagesAlways() {
  const viewer = useViewer()
  useEffect(() => followMessages(viewer), [viewer])
  return null
}
