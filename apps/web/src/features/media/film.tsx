import type { Message } from '@balcao/contract/messages.ts'
import { IconPlayerPlayFilled } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { NoPreview, Thumbnail, useFile, useNear } from './file.tsx'
import classes from './media.module.css'
import { useMediaText } from './media.text.ts'
import { mediaKnown } from './upload.ts'
import { boxOf, clockTime, onItsWay, sizeText } from './words.ts'

/** Up to this size a film is fetched for its first picture alone. */
const POSTER_MOST = 8_000_000

/** A film in its box with its first frame. The bytes of a large one are loaded on play. */
export function Film({ message }: { message: Message }) {
  const t = useMediaText()
  const box = boxOf(mediaKnown(message))
  const [asked, setAsked] = useState(false)
  const place = useRef<HTMLButtonElement>(null)
  const { state, size } = message.media ?? {}
  const isNear = useNear(place, state === 'ready' && (size ?? POSTER_MOST) < POSTER_MOST)
  const { address, failed, broken, setBroken, again } = useFile(message, asked || isNear)
  if (state === 'failed' || (asked && (failed || broken)))
    return <NoPreview message={message} box={box} onAgain={again} />
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
      ref={place}
      type="button"
      className={classes.poster}
      style={box}
      onClick={() => setAsked(true)}
      disabled={waiting}
      aria-label={t('playVideo')}
    >
      {address && !broken ? (
        <FirstPicture address={address} onBroken={() => setBroken(true)} />
      ) : (
        <Thumbnail message={message} className={classes.first} />
      )}
      <span className={classes.round}>
        <IconPlayerPlayFilled size={20} aria-hidden />
      </span>
      <span className={classes.filmFacts}>{waiting ? onItsWay(message) : facts(message)}</span>
    </button>
  )
}

function FirstPicture({ address, onBroken }: { address: string; onBroken(): void }) {
  return (
    <video
      className={classes.first}
      src={`${address}#t=0.1`}
      preload="metadata"
      muted
      playsInline
      tabIndex={-1}
      aria-hidden
      onError={onBroken}
    />
  )
}

const facts = ({ media }: Message) =>
  [media?.seconds != null && clockTime(media.seconds), media?.size && sizeText(media.size)]
    .filter(Boolean)
    .join(' · ')
