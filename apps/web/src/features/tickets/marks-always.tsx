import { useEffect } from 'react'
import { useViewer } from '../../platform/session.tsx'
import { followMarks } from './tickets.marks.live.ts'

/** Loaded after the lists: what this user marks, and the notices of followed and snoozed tickets. */
export default function MarksAlways() {
  const viewer = useViewer()
  useEffect(() => followMarks(viewer), [viewer])
  return null
}
