import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { begun } from '../../platform/begun.ts'
import { drafts, ownerOf } from '../../platform/drafts.ts'
import type { Feature } from '../../platform/features.ts'
import { leftBehind } from '../../platform/left-behind.ts'
import { useLiveState } from '../../platform/live.ts'
import { notLonger } from '../../platform/not-longer.ts'
import { useSession, useViewer } from '../../platform/session.tsx'
import { draftOptions, followDrafts, settleDrafts, takeDrafts } from './composer/kept-drafts.ts'
import { followMessages } from './messages.live.ts'
import { holdWaiting, resumeWaiting } from './sending/queue.ts'

/** A conversation opens beside the ticket lists. */
export const messages: Feature = {
  screens: [{ path: '/tickets/:ticketId?', access: 'private', load: () => import('./tickets-screen.tsx') }],
  Always,
}

const SETTLE_MS = 3_000

/** Tickets with files or a recording in this page, also where the browser stores nothing. */
const begunHere = (): number[] =>
  [...begun.read()].flatMap(([ticketId, { files, isRecorded }]) =>
    ticketId > 0 && (files > 0 || isRecorded) ? [ticketId] : [],
  )

/** Applies pushes to what is cached, and sends waiting messages. */
function Always() {
  const viewer = useViewer()
  const { isOver } = useSession()
  const isCut = useLiveState() === 'offline'
  const owner = ownerOf(viewer)
  useEffect(() => followMessages(viewer), [viewer])
  useEffect(followDrafts, [])
  const isVisit = viewer.visitId !== undefined
  useEffect(() => (isVisit ? undefined : followStored(owner)), [owner, isVisit])
  useEffect(
    () =>
      leftBehind.is({
        settle: async () => {
          const inBrowser = notLonger(
            loadStored().then(({ begunBy }) => begunBy(owner)),
            SETTLE_MS,
          ).catch(() => [])
          const [texts, kept] = await Promise.all([settleDrafts(), inBrowser])
          return new Set([...texts, ...kept, ...begunHere(), ...drafts.allNotes()]).size
        },
        drop: async () => (await loadStored()).dropBegun(owner),
      }),
    [owner],
  )
  const { data: known, dataUpdatedAt } = useQuery({
    ...draftOptions,
    enabled: !isOver && !isVisit,
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

/** Not needed for the first screen. */
const loadStored = () => import('./composer/stored-held.ts')

function followStored(owner: string): () => void {
  let stop: (() => void) | undefined
  let isOver = false
  void loadStored().then(
    ({ followHeld }) => {
      if (!isOver) stop = followHeld(owner)
    },
    error => console.warn('what is begun is not kept in the browser', error),
  )
  return () => {
    isOver = true
    stop?.()
  }
}
