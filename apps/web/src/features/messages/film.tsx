import type { Message } from '@balcao/contract/messages.ts'
import { IconPlayerPlayFilled } from '@tabler/icons-react'
import { useState } from 'react'
import classes from './media.module.css'
import { NoPreview, useFile } from './media-file.tsx'
import { boxOf, clock, sizeText } from './messages.data.ts'
import { kindText } from './messages.kinds.text.ts'
import { mediaKnown } from './messages.upload.ts'

/** A film in its box. Its bytes come when it is asked to play. */
export function Film({ message }: { message: Message }) {
  const t = kindText()
  const box = boxOf(mediaKnown(message))
  const [asked, setAsked] = useState(false)
  const [broken, setBroken] = useState(false)
  const { address, failed, refetch } = useFile(message, asked)
  if (failed || broken)
    return (
      <NoPreview
        message={message}
        box={box}
        onAgain={() => {
          setBroken(false)
          void refetch()
        }}
      />
    )
  if (asked && address)
    return (
      // biome-ignore lint/a11y/useMediaCaption: what customers send has no captions
      <video
        className={classes.film}
        style={box}
        src={address}
        controls
        autoPlay
        onError={() => setBroken(true)}
      />
    )
  const waiting = asked || message.media?.state === 'loading'
  return (
    <button
      type="button"
      className={classes.poster}
      style={box}
      onClick={() => setAsked(true)}
      disabled={waiting}
      aria-label={t('playVideo')}
    >
      <span className={classes.round}>
        <IconPlayerPlayFilled size={20} aria-hidden />
      </span>
      <span>{waiting ? t('loading') : facts(message)}</span>
    </button>
  )
}

const facts = ({ media }: Message) =>
  [media?.seconds != null && clock(media.seconds), media?.size && sizeText(media.size)]
    .filter(Boolean)
    .join(' · ')
