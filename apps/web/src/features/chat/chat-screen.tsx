import { chat } from '@balcao/contract/chat.ts'
import { Button, MultiSelect, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { Link, useParams } from 'react-router'
import { call } from '../../platform/call.ts'
import { notify } from '../../platform/notify.tsx'
import { askAgain } from '../../platform/query.ts'
import { useUser } from '../../platform/session.tsx'
import { Avatar } from '../../ui/avatar.tsx'
import { Badge } from '../../ui/badge.tsx'
import { useGoTo } from '../../ui/go-to.ts'
import { useNamesWindow } from '../../ui/screen-title.ts'
import { CHAT_ROOMS, chatColleagues, chatRooms, chatSearch } from './chat.api.ts'
import { followChat } from './chat.live.ts'
import classes from './chat.module.css'
import { useChatText } from './chat.text.ts'
import { ChatTalk } from './chat-talk.tsx'

/** Colleagues talk: the rooms, and one of them; on a phone one of both. */
export default function ChatScreen() {
  const t = useChatText()
  useNamesWindow(t('chat'))
  const { id } = useUser()
  const roomId = Number(useParams().roomId ?? 0)
  const { data } = useQuery(chatRooms)
  const [sought, setSought] = useState('')
  const { data: found } = useQuery(chatSearch(sought))
  useEffect(() => followChat(id), [id])
  const room = data?.rooms.find(one => one.id === roomId)
  return (
    <div className={classes.screen} data-room={roomId > 0 || undefined}>
      <section className={classes.list} aria-label={t('rooms')}>
        <h1 className={classes.title}>{t('chat')}</h1>
        <OpenRoom />
        <TextInput
          type="search"
          aria-label={t('search')}
          placeholder={t('search')}
          value={sought}
          onChange={event => setSought(event.currentTarget.value)}
        />
        <ul className={classes.rooms}>
          {sought.trim().length > 1
            ? found?.messages.map(message => (
                <li key={message.id}>
                  <Link className={classes.room} to={`/chat/${message.roomId}`}>
                    <span className={classes.words}>
                      <strong>{message.from.name}</strong>
                      <span className="one-line">{message.body}</span>
                    </span>
                  </Link>
                </li>
              ))
            : data?.rooms.map(one => (
                <li key={one.id}>
                  <Link
                    className={classes.room}
                    to={`/chat/${one.id}`}
                    aria-current={one.id === roomId ? 'true' : undefined}
                  >
                    <Avatar name={one.name} isGroup={one.isGroup} />
                    <span className={classes.words}>
                      <strong className="one-line">{one.name}</strong>
                      <span className="one-line">{one.lastMessage?.body}</span>
                    </span>
                    <Badge count={one.unread} look="tertiary" label={t('unread', { count: one.unread })} />
                  </Link>
                </li>
              ))}
        </ul>
      </section>
      {room ? <ChatTalk key={room.id} room={room} /> : <p className={classes.none}>{t('select')}</p>}
    </div>
  )
}

function OpenRoom() {
  const t = useChatText()
  const goTo = useGoTo()
  const { id } = useUser()
  const { data } = useQuery(chatColleagues)
  const [chosen, setChosen] = useState<string[]>([])
  const [name, setName] = useState('')
  async function open() {
    const body = {
      userIds: chosen.map(Number),
      ...(chosen.length > 1 && name.trim() && { name: name.trim() }),
    }
    try {
      const room = await call(chat.open, { body })
      await askAgain({ queryKey: CHAT_ROOMS })
      setChosen([])
      setName('')
      goTo(`/chat/${room.id}`)
    } catch (error) {
      notify.failed(error)
    }
  }
  const others = (data ?? []).filter(one => one.id !== id)
  return (
    <form
      className={classes.open}
      onSubmit={event => {
        event.preventDefault()
        void open()
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
      {chosen.length > 0 && <Button type="submit">{t('open')}</Button>}
    </form>
  )
}
