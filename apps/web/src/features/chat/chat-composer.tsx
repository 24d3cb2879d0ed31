import { chat, MAX_CHAT_BODY } from '@balcao/contract/chat.ts'
import { MAX_FILES } from '@balcao/contract/media.ts'
import { FileButton, Textarea } from '@mantine/core'
import { IconPaperclip, IconSend2, IconX } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { call } from '../../platform/call.ts'
import { ownerOf } from '../../platform/drafts.ts'
import { newId } from '../../platform/ids.ts'
import { notify } from '../../platform/notify.tsx'
import { useUser } from '../../platform/session.tsx'
import { stored } from '../../platform/stored.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { accepted } from '../media/files.ts'
import { putChatMessages } from './chat.api.ts'
import classes from './chat.module.css'
import { useChatText } from './chat.text.ts'

/** What is written stays in this browser until it was sent; tried again, also after a reload, it is the same message. */
export function ChatComposer({ roomId }: { roomId: number }) {
  const t = useChatText()
  const user = useUser()
  const begun = useBegun(`draft:${ownerOf(user)}:chat${roomId}`)
  const { body, files } = begun
  const [busy, setBusy] = useState(false)
  async function send() {
    if (busy || (body.trim() === '' && files.length === 0)) return
    setBusy(true)
    try {
      const message = await call(chat.send, {
        params: { roomId },
        body: { id: begun.id(), body },
        ...(files.length > 0 && { files: { medias: files } }),
      })
      putChatMessages(roomId, [message])
      begun.sent(body, files)
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
      {files.length > 0 && (
        <ul className={classes.files} aria-label={t('attach')}>
          {files.map((file, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: one file may be chosen twice
            <li key={at}>
              <span className="one-line">{file.name}</span>
              <IconButton
                small
                label={t('removeFile', { name: file.name })}
                onClick={() => begun.keepFiles(files.filter(one => one !== file))}
              >
                <IconX size={14} />
              </IconButton>
            </li>
          ))}
        </ul>
      )}
      <FileButton
        multiple
        accept={accepted}
        onChange={more => begun.keepFiles([...files, ...more].slice(0, MAX_FILES))}
      >
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
        dir="auto"
        value={body}
        onChange={event => begun.write(event.currentTarget.value)}
        onKeyDown={event => {
          if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing || isTouch()) return
          event.preventDefault()
          void send()
        }}
      />
      <IconButton solid type="submit" label={t('send')} disabled={busy}>
        <IconSend2 size={19} stroke={1.75} />
      </IconButton>
    </form>
  )
}

// a phone's keyboard has no other key for a new line
const isTouch = () => window.matchMedia('(pointer: coarse)').matches

interface KeptFiles {
  key: string
  files: File[]
}

const rows = stored<KeptFiles>('balcao-chat', 'files', 'key')

/** Text and files that are begun in a room, as this browser keeps them: the text goes with a logout, as drafts do. */
function useBegun(key: string) {
  const [body, setBody] = useState(() => localStorage.getItem(key) ?? '')
  const [files, setFiles] = useState<File[]>([])
  const chosen = useRef<File[] | null>(null)
  const idKey = `${key}:id`
  useEffect(() => {
    rows.all().then(
      all => {
        const kept = all.find(row => row.key === key)
        if (!kept || chosen.current) return
        chosen.current = kept.files
        setFiles(kept.files)
      },
      () => {},
    )
    // written, or sent, in another tab
    const follow = (event: StorageEvent) => event.key === key && setBody(event.newValue ?? '')
    window.addEventListener('storage', follow)
    return () => window.removeEventListener('storage', follow)
  }, [key])
  const write = (text: string) => {
    // a try whose answer was lost may have arrived: what is changed since is another message
    localStorage.removeItem(idKey)
    setBody(text)
    if (text) localStorage.setItem(key, text)
    else localStorage.removeItem(key)
  }
  const keepFiles = (now: File[]) => {
    localStorage.removeItem(idKey)
    chosen.current = now
    setFiles(now)
    const keeping = now.length > 0 ? rows.put({ key, files: now }) : rows.remove(key)
    keeping.catch(() => now.length > 0 && notify.warn(useChatText.read('notKept'), { id: 'chat files' }))
  }
  return {
    ...{ body, files, write, keepFiles },
    /** Of the message that this becomes. */
    id() {
      const id = localStorage.getItem(idKey) ?? newId()
      localStorage.setItem(idKey, id)
      return id
    },
    /** What was typed and chosen meanwhile stays. */
    sent(what: string, sentFiles: File[]) {
      if ((localStorage.getItem(key) ?? '') === what) write('')
      keepFiles((chosen.current ?? []).filter(one => !sentFiles.includes(one)))
    },
  }
}
