import { type Message, messages } from '@balcao/contract/messages.ts'
import { Button } from '@mantine/core'
import { IconPhotoOff, IconRefresh } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { createContext, type ReactNode, type RefObject, useContext, useEffect, useState } from 'react'
import { addressOfBytes, bytesOptions, saveBytes } from '../../platform/bytes.ts'
import { call } from '../../platform/call.ts'
import { notify } from '../../platform/notify.tsx'
import { queryClient } from '../../platform/query.ts'
import classes from './media.module.css'
import { useMediaText } from './media.text.ts'
import { localFile } from './upload.ts'

/** The bytes of a message's file: of the upload on this screen, or fetched from the server when wanted. */
export function useFile(message: Message, wanted = true) {
  const own = localFile(message.id)
  const [broken, setBroken] = useState(false)
  const { data, isError, refetch } = useQuery({
    ...bytesOptions(message.mediaUrl),
    enabled: wanted && !own && message.mediaUrl !== null,
  })
  const file = own ?? data
  return {
    file,
    address: file && addressOfBytes(file),
    failed: !own && (isError || message.media?.state === 'failed'),
    /** This browser cannot show the file. */
    broken,
    setBroken,
    again() {
      setBroken(false)
      void refetch()
    },
  }
}

/** True once an element was near the screen: what it shows is worth fetching. */
export function useNear(element: RefObject<HTMLElement | null>, enabled: boolean): boolean {
  const [isNear, setNear] = useState(false)
  useEffect(() => {
    if (!enabled || isNear || !element.current) return
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && setNear(true), {
      rootMargin: '200px',
    })
    observer.observe(element.current)
    return () => observer.disconnect()
  }, [element, enabled, isNear])
  return isNear
}

/** Saves the file of a message under a name; reports a failure. */
export async function saveFile(message: Message, name: string) {
  const file =
    localFile(message.id) ??
    (await queryClient.fetchQuery(bytesOptions(message.mediaUrl)).catch(notify.failed))
  if (file) saveBytes(file, name)
}

/** Receives a message whose file the server downloads again. */
export const OnFetched = createContext<(message: Message) => void>(() => {})

/** What the phone of its sender made of a file; null where there is none. */
export function Thumbnail({ message, className }: { message: Message; className?: string | undefined }) {
  const { thumbnail = '' } = message.media ?? {}
  if (!/^[A-Za-z0-9+/]+=*$/.test(thumbnail)) return null
  return <img className={className} src={`data:image/jpeg;base64,${thumbnail}`} alt="" data-thumbnail />
}

/** A file that could not be loaded: a message in its box, with a retry button. */
export function NoPreview({ message, onAgain, box }: { message: Message; onAgain(): void; box?: object }) {
  const t = useMediaText()
  const onFetched = useContext(OnFetched)
  const [busy, setBusy] = useState(false)
  const again = async () => {
    if (message.media?.state !== 'failed') return onAgain()
    setBusy(true)
    await fetchMedia(message).then(onFetched, notify.failed)
    setBusy(false)
  }
  return (
    <Missing
      box={box}
      icon={
        message.media?.thumbnail ? (
          <Thumbnail message={message} className={classes.small} />
        ) : (
          <IconPhotoOff size={22} stroke={1.75} aria-hidden />
        )
      }
      text={t('noPreview')}
    >
      <Button
        size="xs"
        variant="default"
        loading={busy}
        leftSection={<IconRefresh size={14} />}
        onClick={() => void again()}
      >
        {t('again')}
      </Button>
    </Missing>
  )
}

/** Requests another download by the server. Throws ApiError. */
const fetchMedia = ({ id: messageId }: Message) => call(messages.fetchMedia, { params: { messageId } })

/** Placeholder for a file that is loading, or missing. */
export function Missing({
  box,
  icon,
  text,
  children,
}: {
  box?: object | undefined
  icon: ReactNode
  text: string
  children?: ReactNode
}) {
  return (
    <div className={classes.missing} style={box}>
      {icon}
      <span>{text}</span>
      {children}
    </div>
  )
}
