import { useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent } from 'react'
import { whenFetched } from '../../platform/query.ts'
import { useSession } from '../../platform/session.tsx'
import { visiting } from '../../platform/visit.ts'
import { useGoTo } from '../../ui/go-to.ts'
import { soon } from '../../ui/soon.tsx'
import type { WorkerMessage } from '../../worker/self.ts'
import { renewDevice } from './device.ts'
import { dropShared, sharedOptions } from './share-target.ts'
import { forgetRead, startWorker, workers } from './worker.ts'

const Share = soon(() => import('./share.dialog.tsx'), { isLarge: true })

/** The service worker of the app, what it asks of this window, and what another app shared. */
export default function PushAlways() {
  const { user, isOver } = useSession()
  const goTo = useGoTo()
  const open = useEffectEvent((path: string) => goTo(path))
  const isVisit = visiting.now() !== null
  const userId = user?.id
  const isHere = !isVisit && !isOver
  const { data: shared } = useQuery({ ...sharedOptions, enabled: isHere })
  useEffect(() => {
    if (isVisit) return
    const asked = ({ data, ports }: MessageEvent<WorkerMessage>) => {
      if (typeof data?.open !== 'string') return
      ports[0]?.postMessage('opened')
      open(data.open)
    }
    workers()?.addEventListener('message', asked)
    // it fetches what the app starts with: not beside the first lists
    void whenFetched().then(startWorker)
    return () => workers()?.removeEventListener('message', asked)
  }, [isVisit])
  useEffect(() => {
    if (userId !== undefined && !isVisit && !isOver) void renewDevice(userId)
  }, [userId, isVisit, isOver])
  useEffect(() => {
    if (isOver) void forgetRead()
  }, [isOver])
  return isHere && shared ? <Share shared={shared} onClose={() => void dropShared()} /> : null
}
