import type { ChatMessage, ChatRoom } from '@balcao/contract/chat.ts'
import { chat } from '@balcao/contract/chat.ts'
import { Button, MultiSelect, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { Link, useParams } from 'react-router'
import { call } from '../../platform/call.ts'
import { notify } from '../../platform/notify.tsx'
import { useUser } from '../../platform/session.tsx'
import { TYPING_MS } from '../../platform/typing.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { Badge } from '../../ui/badge.tsx'
import { useGoTo } from '../../ui/go-to.ts'
import { useNamesWindow } from '../../ui/screen-title.ts'
import { chatColleagues, chatRooms, chatSearch, loadMoreRooms, putRoom } from './chat.api.ts'
import classes from './chat.module.css'
import { useChatText } from './chat.text.ts'
import { ChatTalk } from './chat-talk.tsx'

/** Colleagues talk: the rooms, and one of them; on a phone one of both. */
export default function ChatScreen() {
  const t = useChatText()
  useNamesWindow(t('chat'))
  const roomId = Number(useParams().roomId ?? 0)
  const { data } = useQuery(chatRooms)
  const [sought, setSought] = useState('')
  const room = data?.rooms.find(one => one.id === roomId)
  const count = data?.rooms.length ?? 0
  const isFurther = roomId > 0 && !room && data?.hasMore === true
  // the room of an address may be further down
  useEffect(() => {
    if (isFurther) void loadMoreRooms(count).catch(notify.failed)
  }, [isFurther, count])
  return (
    <div className={classes.screen} data-room={roomId > 0 || undefined}>
      <section className={classes.list} aria-label={t('rooms')}>
        <h1 className={classes.title}>{t('chat')}</h1>
        <OpenRoom />
        <TextInput
          type="search"
          aria-label={t('search')}
          placeholder={t('search')}
          maxLength={100}
          value={sought}
          onChange={event => setSought(event.currentTarget.value)}
        />
        {sought.trim().length > 1 ? (
          <Found words={sought} rooms={data?.rooms ?? []} />
        ) : (
          <ul className={classes.rooms}>
            {data?.rooms.map(one => (
              <li key={one.id}>
                <RoomLink room={one} isOpen={one.id === roomId} />
              </li>
            ))}
            {data?.hasMore && (
              <li>
                <Button variant="subtle" onClick={() => void loadMoreRooms(count).catch(notify.failed)}>
                  {t('moreRooms')}
                </Button>
              </li>
            )}
          </ul>
        )}
      </section>
      {room ? <ChatTalk key={room.id} room={room} /> : <p className={classes.none}>{t('select')}</p>}
    </div>
  )
}

function RoomLink({ room, isOpen }: { room: ChatRoom; isOpen: boolean }) {
  const t = useChatText()
  const { name, isGroup, lastMessage, unread } = room
  return (
    <Link className={classes.room} to={`/chat/${room.id}`} aria-current={isOpen ? 'true' : undefined}>
      <Avatar name={name} isGroup={isGroup} />
      <span className={classes.words}>
        <strong className="one-line">{name}</strong>
        <span className="one-line">{lastMessage && inShort(lastMessage)}</span>
      </span>
      <Badge count={unread} look="tertiary" label={t('unread', { count: unread })} />
    </Link>
  )
}

function inShort({ body, medias, ticketId, isDeleted }: ChatMessage): string {
  const t = useChatText.read
  if (isDeleted) return t('deleted')
  return body || medias[0]?.name || (ticketId === null ? t('file') : t('ticket', { id: ticketId }))
}

/** Messages with these words; each leads to its room. */
function Found({ words, rooms }: { words: string; rooms: ChatRoom[] }) {
  const t = useChatText()
  const [asked] = useDebouncedValue(words.trim(), TYPING_MS)
  const { data } = useQuery(chatSearch(asked))
  const names = new Map(rooms.map(({ id, name }) => [id, name]))
  if (data?.messages.length === 0)
    return (
      <p className={classes.noneFound} role="status">
        {t('noneFound')}
      </p>
    )
  return (
    <ul className={classes.rooms} aria-label={t('messages')}>
      {data?.messages.map(message => (
        <li key={message.id}>
          <Link className={classes.room} to={`/chat/${message.roomId}`}>
            <span className={classes.words}>
              <strong className="one-line">
                {[message.from.name, names.get(message.roomId)].filter(Boolean).join(' · ')}
              </strong>
              <span className="one-line">{message.body}</span>
            </span>
          </Link>
        </li>
      ))}
    </ul>
  )
}

function OpenRoom() {
  const t = useChatText()
  const goTo = useGoTo()
  const { id } = useUser()
  const { data } = useQuery(chatColleagues)
  const [chosen, setChosen] = useState<string[]>([])
  const [name, setName] = useState('')
  const [busy, setBusy] = useState(false)
  async function open() {
    const body = {
      userIds: chosen.map(Number),
      ...(chosen.length > 1 && name.trim() && { name: name.trim() }),
    }
    const room = await call(chat.open, { body })
    putRoom(room)
    setChosen([])
    setName('')
    goTo(`/chat/${room.id}`)
  }
  const others = (data ?? []).filter(one => one.id !== id)
  return (
    <form
      className={classes.open}
      onSubmit={event => {
        event.preventDefault()
        if (busy || chosen.length === 0) return
        // pressed twice it is one group
        setBusy(true)
        void open()
          .catch(notify.failed)
          .finally(() => setBusy(false))
      }}
    >
      <MultiSelect
        searchable
        aria-label={t('colleagues')}
        placeholder={t('colleagues')}
        data={others.map(one => ({ value: String(one.id), label: one.name }))}
        value={chosen}
        onChange={setChosen}
      />
      {chosen.length > 1 && (
        <TextInput
          aria-label={t('groupName')}
          placeholder={t('groupName')}
          maxLength={60}
          value={name}
          onChange={event => setName(event.currentTarget.value)}
        />
      )}
      {chosen.length > 0 && (
        <Button type="submit" loading={busy}>
          {t('open')}
        </Button>
      )}
    </form>
  )
}
