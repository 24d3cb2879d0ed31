import { useEffect } from 'react'
import { ownerOf } from '../../platform/drafts.ts'
import type { Feature } from '../../platform/features.ts'
import { useLiveState } from '../../platform/live.ts'
import { useSession, useViewer } from '../../platform/session.tsx'
import { followMessages } from './messages.live.ts'
import { holdWaiting, resumeWaiting } from './sending/queue.ts'

/** Conversations have no screen of their own: they open beside the ticket lists. */
export const messages: Feature = { Always }

/** Keeps what is shown as the server has it, and sends what waits. */
function Always() {
  const viewer = useViewer()
  const { isOver } = useSession()
  const isCut = useLiveState() === 'offline'
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
