import { useEffect, useEffectEvent } from 'react'
import { useUser } from '../../platform/session.tsx'
import { useStore } from '../../platform/store.ts'
import { ring } from '../tickets/sound.ts'
import { followChat } from './chat.live.ts'
import { useChatIsOn } from './chat.on.ts'
import { shared } from './chat.share.ts'
import { ShareDialog } from './share.dialog.tsx'

/** On every screen, where there is a chat: its rooms are followed, a colleague's message rings, and a ticket is shared. */
export default function ChatAlways() {
  const { id } = useUser()
  return useChatIsOn() ? <Following viewerId={id} /> : null
}

function Following({ viewerId }: { viewerId: number }) {
  const { volume } = useUser()
  const ticket = useStore(shared, one => one)
  const onWritten = useEffectEvent((roomId: number) => {
    const isSeen = document.visibilityState === 'visible' && location.pathname === `/chat/${roomId}`
    if (!isSeen) ring('message', volume)
  })
  useEffect(() => followChat(viewerId, ({ roomId }) => onWritten(roomId)), [viewerId])
  return ticket && <ShareDialog ticket={ticket} onClose={() => shared.write(null)} />
}
