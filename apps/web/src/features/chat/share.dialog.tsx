import { chat, MAX_CHAT_BODY } from '@balcao/contract/chat.ts'
import type { Ticket } from '@balcao/contract/tickets.ts'
import { Button, Select, Textarea } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { call } from '../../platform/call.ts'
import { newId } from '../../platform/ids.ts'
import { notify } from '../../platform/notify.tsx'
import { phoneText } from '../../platform/phone.ts'
import { useUser } from '../../platform/session.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { useGoTo } from '../../ui/go-to.ts'
import { chatColleagues, chatRooms, putChatMessages, putRoom } from './chat.api.ts'
import { useShareText } from './chat.share.text.ts'

/** A ticket is sent into a room, or to a colleague. */
export function ShareDialog({ ticket, onClose }: { ticket: Ticket; onClose(): void }) {
  const t = useShareText()
  const { id: me } = useUser()
  const goTo = useGoTo()
  const rooms = useQuery(chatRooms).data?.rooms ?? []
  const colleagues = useQuery(chatColleagues).data ?? []
  const [to, setTo] = useState<string | null>(null)
  const [body, setBody] = useState('')
  const [busy, setBusy] = useState(false)
  // tried again it is the same message, changed it is another: the first may have arrived without an answer
  const id = useRef(newId())
  // the room of two stands under the colleague
  const groups = rooms.filter(({ isGroup }) => isGroup)
  const others = colleagues.filter(one => one.id !== me)
  async function share(where: string) {
    const [kind, number] = where.split(' ')
    const room =
      kind === 'room'
        ? groups.find(one => one.id === Number(number))!
        : await call(chat.open, { body: { userIds: [Number(number)] } })
    const sent = await call(chat.send, {
      params: { roomId: room.id },
      body: { id: id.current, body: body.trim(), ticketId: ticket.id },
    })
    putRoom(room)
    putChatMessages(room.id, [sent])
    notify.done(t('done', { room: room.name }), {
      seconds: 9,
      action: { label: t('view'), act: () => goTo(`/chat/${room.id}`) },
    })
  }
  return (
    <Dialog title={t('title', { contact: phoneText(ticket.contact.name) })} onClose={onClose}>
      <form
        onSubmit={event => {
          event.preventDefault()
          if (!to || busy) return
          setBusy(true)
          void share(to)
            .then(onClose, notify.failed)
            .finally(() => setBusy(false))
        }}
      >
        <Select
          data-autofocus
          searchable
          label={t('to')}
          description={t('hint')}
          data={[
            { group: t('rooms'), items: groups.map(one => ({ value: `room ${one.id}`, label: one.name })) },
            {
              group: t('colleagues'),
              items: others.map(one => ({ value: `user ${one.id}`, label: one.name })),
            },
          ]}
          value={to}
          onChange={where => {
            id.current = newId()
            setTo(where)
          }}
        />
        <Textarea
          mt={12}
          autosize
          minRows={2}
          maxRows={8}
          maxLength={MAX_CHAT_BODY}
          label={t('words')}
          value={body}
          onChange={event => {
            id.current = newId()
            setBody(event.currentTarget.value)
          }}
        />
        <DialogActions onClose={onClose}>
          <Button type="submit" loading={busy} disabled={!to}>
            {t('send')}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
