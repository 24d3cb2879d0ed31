import { useEffect } from 'react'
import { useLine } from '../../platform/live.ts'
import { useSession, useViewer } from '../../platform/session.tsx'
import { holdWaiting, resumeWaiting } from './messages.line.ts'
import { followMessages } from './messages.live.ts'
import { ownerOf } from './messages.send.ts'

export function MessagesAlways() {
  const viewer = useViewer()
  const { isOver } = useSession()
  const isCut = useLine() === 'offline'
  const owner = ownerOf(viewer)
  useEffect(() => followMessages(viewer), [viewer])
  useEffect(() => {
    if (isOver) return
    void resumeWaiting(owner)
    return holdWaiting
  }, [owner, isOver])
  // the line is back: what waits for its turn need not wait any longer
  useEffect(() => {
    if (!isCut && !isOver) void resumeWaiting(owner)
  }, [owner, isCut, isOver])
  useEffect(() => {
    const online = () => void resumeWaiting(owner)
    window.addEventListener('online', online)
    return () => window.removeEventListener('online', online)
  }, [owner])
  return null
}
