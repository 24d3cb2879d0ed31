import { type ChatRoom, chat } from '@balcao/contract/chat.ts'
import { may } from '@balcao/contract/permissions.rules.ts'
import { Button, MultiSelect, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../platform/call.ts'
import { notify } from '../../platform/notify.tsx'
import { useViewer } from '../../platform/session.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { chatColleagues, putRoom } from './chat.api.ts'
import classes from './chat.module.css'
import { useChatText } from './chat.text.ts'

/** Name and members of a group: its owner and admins change them, the others read them. */
export function RoomDialog({ room, onClose }: { room: ChatRoom; onClose(): void }) {
  const t = useChatText()
  const viewer = useViewer()
  const mayChange = room.ownerId === viewer.id || may(viewer, 'admin')
  return (
    <Dialog title={t('members')} onClose={onClose}>
      {mayChange ? (
        <Change room={room} onClose={onClose} />
      ) : (
        <ul className={classes.members} aria-label={t('members')}>
          {room.members.map(({ id, name }) => (
            <li key={id}>
              {name}
              {id === room.ownerId && ` · ${t('owner')}`}
            </li>
          ))}
        </ul>
      )}
    </Dialog>
  )
}

function Change({ room, onClose }: { room: ChatRoom; onClose(): void }) {
  const t = useChatText()
  const viewer = useViewer()
  const { data = [] } = useQuery(chatColleagues)
  const others = room.members.filter(({ id }) => id !== viewer.id)
  // a group without a name of its own is shown by its members
  const known = room.members.map(one => one.name).join(', ')
  const [name, setName] = useState(room.name === known ? '' : room.name)
  const [chosen, setChosen] = useState(others.map(({ id }) => String(id)))
  const [busy, setBusy] = useState(false)
  const people = new Map([...others, ...data].map(one => [String(one.id), one.name]))
  people.delete(String(viewer.id))
  async function save() {
    const body = { userIds: [viewer.id, ...chosen.map(Number)], ...(name.trim() && { name: name.trim() }) }
    putRoom(await call(chat.change, { params: { roomId: room.id }, body }))
  }
  return (
    <form
      onSubmit={event => {
        event.preventDefault()
        setBusy(true)
        void save()
          .then(onClose, notify.failed)
          .finally(() => setBusy(false))
      }}
    >
      <TextInput
        data-autofocus
        label={t('groupName')}
        maxLength={60}
        value={name}
        onChange={event => setName(event.currentTarget.value)}
      />
      <MultiSelect
        mt={12}
        searchable
        label={t('members')}
        description={t('membersHint')}
        data={[...people].map(([value, label]) => ({ value, label }))}
        value={chosen}
        onChange={setChosen}
      />
      <DialogActions onClose={onClose}>
        <Button type="submit" loading={busy}>
          {t('save')}
        </Button>
      </DialogActions>
    </form>
  )
}
