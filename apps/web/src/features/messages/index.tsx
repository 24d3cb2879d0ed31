import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { ownerOf } from '../../platform/drafts.ts'
import type { Feature } from '../../platform/features.ts'
import { useLiveState } from '../../platform/live.ts'
import { useSession, useViewer } from '../../platform/session.tsx'
import { draftOptions, followDrafts, takeDrafts } from './composer/kept-drafts.ts'
import { followMessages } from './messages.live.ts'
import { holdWaiting, resumeWaiting } from './sending/queue.ts'

/** A conversation opens beside the ticket lists. */
export const messages: Feature = {
  screens: [{ path: '/tickets/:ticketId?', access: 'private', load: () => import('./tickets-screen.tsx') }],
  Always,
}

/** Applies pushes to what is cached, and sends waiting messages. */
function Always() {
  const viewer = useViewer()
  const { isOver } = useSession()
  const isCut = useLiveState() === 'offline'
  const owner = ownerOf(viewer)
  useEffect(() => followMessages(viewer), [viewer])
  useEffect(followDrafts, [])
  const { data: known, dataUpdatedAt } = useQuery({
    ...draftOptions,
    enabled: !isOver && viewer.visitId === undefined,
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: an equal answer after a reconnection counts too
  useEffect(() => known && takeDrafts(known), [known, dataUpdatedAt])
  useEffect(() => {
    if (isOver) return
    void resumeWaiting(owner)
    return holdWaiting
  }, [owner, isOver])
  // the connection is back: waiting retries are started at once
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
