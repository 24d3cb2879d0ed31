import { useEffect, useEffectEvent } from 'react'
import { useUser } from '../../platform/session.tsx'
import { useGoTo } from '../../ui/go-to.ts'
import { followMentions } from './mentions.live.ts'

/** Notifies the mentioned user on any screen. */
export default function MentionsAlways() {
  const goTo = useGoTo()
  const { volume } = useUser()
  const announced = useEffectEvent(() => ({ volume, goTo }))
  useEffect(() => followMentions(() => announced()), [])
  return null
}
