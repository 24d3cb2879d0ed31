import { type ChatMessage, type ChatRoom, chat, MAX_CHAT_BODY } from '@balcao/contract/chat.ts'
import { Button, FileButton, Textarea } from '@mantine/core'
import { IconArrowLeft, IconPaperclip, IconSend2, IconTrash } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { Link } from 'react-router'
import { bytesOptions, saveBytes } from '../../platform/bytes.ts'
import { call } from '../../platform/call.ts'
import { newId } from '../../platform/ids.ts'
import { notify } from '../../platform/notify.tsx'
import { askAgain, queryClient } from '../../platform/query.ts'
import { useUser } from '../../platform/session.tsx'
import { useGoTo } from '../../ui/go-to.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { shortTime } from '../tickets/times.ts'
import { CHAT_ROOMS, chatMessages, loadOlderChat, putChatMessages } from './chat.api.ts'
import classes from './chat.module.css'
import { useChatText } from './chat.text.ts'

/** One room: its messages, and what is written to it. */
export function ChatTalk({ room }: { room: ChatRoom }) {
  const t = useChatText()
  const goTo = useGoTo()
  const { data } = useQuery(chatMessages(room.id))
  const end = useRef<HTMLDivElement>(null)
  const newest = data?.messages.at(-1)?.position ?? 0
  useEffect(() => {
    if (newest === 0) return
    end.current?.scrollIntoView()
    // a hidden window reads nothing
    const read = () => {
      if (document.visibilityState === 'visible')
        call(chat.read, { params: { roomId: room.id }, body: { position: newest } }).catch(() => {})
    }
    read()
    document.addEventListener('visibilitychange', read)
    return () => document.removeEventListener('visibilitychange', read)
  }, [room.id, newest])
  const leave = async () => {
    await call(chat.leave, { params: { roomId: room.id } })
    await askAgain({ queryKey: CHAT_ROOMS })
    goTo('/chat')
  }
  return (
    <section className={classes.talk} aria-label={room.name}>
      <header className={classes.header}>
        <span className={classes.back}>
          <IconButton label={t('back')} onClick={() => goTo('/chat')}>
            <IconArrowLeft size={20} stroke={1.75} />
          </IconButton>
        </span>
        <h2 className="one-line">{room.name}</h2>
        {room.isGroup && (
          <Button variant="default" size="compact-sm" onClick={() => void leave().catch(notify.failed)}>
            {t('leave')}
          </Button>
        )}
      </header>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls by keyboard */}
      <div className={classes.messages} role="log" aria-label={t('messages')} tabIndex={0}>
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
        <div ref={end} />
      </div>
      <ChatComposer roomId={room.id} />
    </section>
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
        <strong>{message.from.name}</strong>{' '}
        <time dateTime={message.createdAt}>{shortTime(message.createdAt)}</time>
        {message.editedAt && !isDeleted && ` · ${t('edited')}`}
      </span>
      <span className={classes.body} dir="auto">
        {isDeleted ? <em>{t('deleted')}</em> : body}
      </span>
      {medias.map(({ url, name }) => (
        <button key={url} type="button" className={classes.file} onClick={() => void save(url, name)}>
          <IconPaperclip size={14} aria-hidden /> {name}
        </button>
      ))}
      {ticketId && <Link to={`/tickets/${ticketId}`}>{t('ticket', { id: ticketId })}</Link>}
      {isOwn && !isDeleted && (
        <IconButton small label={t('takeBack')} onClick={() => void takeBack()}>
          <IconTrash size={14} />
        </IconButton>
      )}
    </article>
  )
}

const save = (url: string, name: string) =>
  queryClient.fetchQuery(bytesOptions(url)).then(file => file && saveBytes(file, name), notify.failed)

/** What is written stays in this browser until it was sent; tried again it is the same message. */
function ChatComposer({ roomId }: { roomId: number }) {
  const t = useChatText()
  const key = `chat:${useUser().id}:${roomId}`
  const [body, setBody] = useState(() => localStorage.getItem(key) ?? '')
  const [files, setFiles] = useState<File[]>([])
  const [busy, setBusy] = useState(false)
  const id = useRef(newId())
  const write = (text: string) => {
    setBody(text)
    if (text) localStorage.setItem(key, text)
    else localStorage.removeItem(key)
  }
  async function send() {
    if (busy || (body.trim() === '' && files.length === 0)) return
    setBusy(true)
    try {
      const given = { id: id.current, body }
      const message = await call(chat.send, {
        params: { roomId },
        body: given,
        ...(files.length > 0 && { files: { medias: files } }),
      })
      putChatMessages(roomId, [message])
      id.current = newId()
      write('')
      setFiles([])
    } catch (error) {
      notify.failed(error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <form
      className={classes.composer}
      onSubmit={event => {
        event.preventDefault()
        void send()
      }}
    >
      {files.length > 0 && <span className={classes.files}>{files.map(({ name }) => name).join(', ')}</span>}
      <FileButton multiple onChange={setFiles}>
        {props => (
          <IconButton label={t('attach')} {...props}>
            <IconPaperclip size={19} stroke={1.75} />
          </IconButton>
        )}
      </FileButton>
      <Textarea
        autosize
        minRows={1}
        maxRows={5}
        maxLength={MAX_CHAT_BODY}
        className={classes.field}
        aria-label={t('write')}
        placeholder={t('write')}
        value={body}
        onChange={event => write(event.currentTarget.value)}
        onKeyDown={event => {
          if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
          event.preventDefault()
          void send()
        }}
      />
      <IconButton solid type="submit" label={t('send')}>
        <IconSend2 size={19} stroke={1.75} />
      </IconButton>
    </form>
  )
}
