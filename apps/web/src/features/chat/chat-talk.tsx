import { type ChatMessage, type ChatRoom, chat } from '@balcao/contract/chat.ts'
import { Button } from '@mantine/core'
import { IconArrowLeft, IconPaperclip, IconTrash, IconUsers } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { Link } from 'react-router'
import { bytesOptions, saveBytes } from '../../platform/bytes.ts'
import { call } from '../../platform/call.ts'
import { notify } from '../../platform/notify.tsx'
import { phoneText } from '../../platform/phone.ts'
import { askAgain, queryClient } from '../../platform/query.ts'
import { useUser } from '../../platform/session.tsx'
import { useGoTo } from '../../ui/go-to.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { shortTime } from '../tickets/times.ts'
import { CHAT_ROOMS, chatMessages, loadOlderChat, putChatMessages, sharedTicket } from './chat.api.ts'
import classes from './chat.module.css'
import { useChatText } from './chat.text.ts'
import { ChatComposer } from './chat-composer.tsx'
import { RoomDialog } from './room.dialog.tsx'

/** One room: its messages, and what is written to it. */
export function ChatTalk({ room }: { room: ChatRoom }) {
  const t = useChatText()
  const { data } = useQuery(chatMessages(room.id))
  const newest = data?.messages.at(-1)
  const log = useEnd(newest, useUser().id)
  useRead(room, newest?.position ?? 0)
  return (
    <section className={classes.talk} aria-label={room.name}>
      <Head room={room} />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls by keyboard */}
      <div ref={log} className={classes.messages} role="log" aria-label={t('messages')} tabIndex={0}>
        {data?.hasMore && (
          <Button
            variant="subtle"
            onClick={() => void loadOlderChat(room.id, data.messages[0]!.position).catch(notify.failed)}
          >
            {t('older')}
          </Button>
        )}
        {data?.messages.map(message => (
          <Line key={message.id} message={message} />
        ))}
      </div>
      <ChatComposer roomId={room.id} />
    </section>
  )
}

/** What is shown is read, but for a hidden window; `unread` is asked again, since a call may be lost with the connection. */
function useRead({ id: roomId, unread }: ChatRoom, newest: number) {
  const isUnread = unread > 0
  useEffect(() => {
    if (newest === 0 || !isUnread) return
    const read = () => {
      if (document.visibilityState === 'visible')
        call(chat.read, { params: { roomId }, body: { position: newest } }).catch(() => {})
    }
    read()
    document.addEventListener('visibilitychange', read)
    return () => document.removeEventListener('visibilitychange', read)
  }, [roomId, newest, isUnread])
}

/** How far from the end (px) counts as there. */
const NEAR = 120

/** A new message scrolls to the end, unless older ones are being read. */
function useEnd(newest: ChatMessage | undefined, viewerId: number) {
  const log = useRef<HTMLDivElement>(null)
  const isNear = useRef(true)
  const isOwn = newest?.from.id === viewerId
  const id = newest?.id
  useEffect(() => {
    const box = log.current
    if (!box) return
    const look = () => {
      isNear.current = box.scrollHeight - box.scrollTop - box.clientHeight < NEAR
    }
    box.addEventListener('scroll', look, { passive: true })
    return () => box.removeEventListener('scroll', look)
  }, [])
  useEffect(() => {
    if (id && (isNear.current || isOwn)) log.current?.scrollTo({ top: log.current.scrollHeight })
  }, [id, isOwn])
  return log
}

function Head({ room }: { room: ChatRoom }) {
  const t = useChatText()
  const goTo = useGoTo()
  const [isOpen, setOpen] = useState(false)
  const leave = async () => {
    await call(chat.leave, { params: { roomId: room.id } })
    await askAgain({ queryKey: CHAT_ROOMS })
    goTo('/chat')
  }
  return (
    <header className={classes.header}>
      <span className={classes.back}>
        <IconButton label={t('back')} onClick={() => goTo('/chat')}>
          <IconArrowLeft size={20} stroke={1.75} />
        </IconButton>
      </span>
      <h2 className="one-line">{room.name}</h2>
      {room.isGroup && (
        <>
          <Button
            variant="default"
            size="compact-sm"
            leftSection={<IconUsers size={15} aria-hidden />}
            onClick={() => setOpen(true)}
          >
            {t('members')} ({room.members.length})
          </Button>
          <Button variant="default" size="compact-sm" onClick={() => void leave().catch(notify.failed)}>
            {t('leave')}
          </Button>
        </>
      )}
      {isOpen && <RoomDialog room={room} onClose={() => setOpen(false)} />}
    </header>
  )
}

function Line({ message }: { message: ChatMessage }) {
  const t = useChatText()
  const isOwn = useUser().id === message.from.id
  const { body, medias, ticketId, isDeleted } = message
  const takeBack = () =>
    call(chat.remove, { params: { messageId: message.id } }).then(
      now => putChatMessages(now.roomId, [now]),
      notify.failed,
    )
  return (
    <article className={classes.line} data-own={isOwn || undefined}>
      <span className={classes.about}>
        <strong>{message.from.name}</strong>
        <time dateTime={message.createdAt}>{shortTime(message.createdAt)}</time>
        {message.editedAt && !isDeleted && ` · ${t('edited')}`}
        {isOwn && !isDeleted && (
          <IconButton small label={t('takeBack')} onClick={() => void takeBack()}>
            <IconTrash size={14} />
          </IconButton>
        )}
      </span>
      {(body || isDeleted) && (
        <span className={classes.body} dir="auto">
          {isDeleted ? <em>{t('deleted')}</em> : body}
        </span>
      )}
      {medias.map(({ url, name }) => (
        <button key={url} type="button" className={classes.file} onClick={() => void save(url, name)}>
          <IconPaperclip size={14} aria-hidden /> {name}
        </button>
      ))}
      {ticketId !== null && <SharedTicket id={ticketId} />}
    </article>
  )
}

/** It opens for whoever may read it; the others see its number alone. */
function SharedTicket({ id }: { id: number }) {
  const t = useChatText()
  const { data, isError } = useQuery(sharedTicket(id))
  if (isError)
    return (
      <span className={classes.ticket}>
        {t('ticket', { id })} · {t('hidden')}
      </span>
    )
  return (
    <Link className={classes.ticket} to={`/tickets/${id}`}>
      <strong>{data ? phoneText(data.contact.name) : t('ticket', { id })}</strong>
      {data && <span>{[data.queue?.name, data.protocol].filter(Boolean).join(' · ')}</span>}
    </Link>
  )
}

const save = (url: string, name: string) =>
  queryClient.fetchQuery(bytesOptions(url)).then(file => file && saveBytes(file, name), notify.failed)
