import type { Message } from '@balcao/contract/messages.ts'
import type { Ticket } from '@balcao/contract/tickets.ts'
import { useMemo, useState } from 'react'
import { notify } from '../../../platform/notify.tsx'
import { useMay } from '../../../platform/session.tsx'
import { soon } from '../../../ui/soon.tsx'
import type { BubbleTools } from '../thread/bubble.tsx'
import { beginSelection, endSelection } from '../thread/selection.ts'
import type { Shown } from './menu.tsx'
import { react } from './operations.ts'

const EditMessageDialog = soon(() => import('./edit.dialog.tsx'))
const ForwardDialog = soon(() => import('./forward.dialog.tsx'))
const MessageMenu = soon(() => import('./menu.tsx'))
const RemoveMessageDialog = soon(() => import('./remove.dialog.tsx'))
const VersionsDialog = soon(() => import('./versions.dialog.tsx'))

/** What may be done with the messages of a ticket, and what that opens over the conversation. */
export function useMessageTools(
  ticket: Ticket,
  reply: (message: Message) => void,
  jump: (messageId: string) => void,
) {
  const [shown, setShown] = useState<Shown | null>(null)
  const [editing, setEditing] = useState<Message | null>(null)
  const [removing, setRemoving] = useState<Message | null>(null)
  const [former, setFormer] = useState<Message | null>(null)
  const [forwarded, setForwarded] = useState<Message[] | null>(null)
  const seesDeleted = useMay('admin')
  const open = ticket.status === 'open'
  const tools = useMemo<BubbleTools>(
    () => ({
      open,
      seesDeleted,
      reply,
      jump,
      react: (message, emoji) => void react(message, emoji).catch(notify.failed),
      show: (what, message, anchor) => setShown({ what, message, anchor }),
    }),
    [open, seesDeleted, reply, jump],
  )
  const layer = (
    <>
      {shown && (
        <MessageMenu
          key={shown.message.id}
          ticketId={ticket.id}
          shown={shown}
          tools={tools}
          onEdit={setEditing}
          onRemove={setRemoving}
          onVersions={setFormer}
          onForward={message => setForwarded([message])}
          onSelect={({ id }) => beginSelection(ticket.id, id)}
          onClose={() => setShown(null)}
        />
      )}
      {editing && <EditMessageDialog message={editing} ticket={ticket} onClose={() => setEditing(null)} />}
      {forwarded && (
        <ForwardDialog
          from={ticket.id}
          messages={forwarded}
          onDone={() => {
            setForwarded(null)
            endSelection()
          }}
          onClose={() => setForwarded(null)}
        />
      )}
      {former && <VersionsDialog message={former} onClose={() => setFormer(null)} />}
      {removing && (
        <RemoveMessageDialog message={removing} channel={ticket.channel} onClose={() => setRemoving(null)} />
      )}
    </>
  )
  return { tools, layer, edit: setEditing, forward: setForwarded }
}
