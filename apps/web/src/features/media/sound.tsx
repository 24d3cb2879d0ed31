import type { Message } from '@balcao/contract/messages.ts'
import {
  IconDownload,
  IconMicrophone,
  IconPlayerPauseFilled,
  IconPlayerPlayFilled,
} from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { saveBytes } from '../../platform/bytes.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { NoPreview, useFile, useNear } from './file.tsx'
import classes from './media.module.css'
import { useMediaText } from './media.text.ts'
import { changeSpeed, pause, play, seek, usePlaying, useSpeed } from './player.ts'
import { mediaKnown } from './upload.ts'
import { useWave } from './wave.ts'
import { clockTime } from './words.ts'

/** Voice notes up to this size (bytes) are fetched for their waveform: some ten minutes. */
const WAVE_MOST = 1_500_000

/**
 * A sound: play, position, speed. Its bytes are loaded on play, those of a voice note when it becomes
 * visible.
 */
export function Sound({ message }: { message: Message }) {
  const t = useMediaText()
  const [asked, setAsked] = useState<'no' | 'play' | 'held'>('no')
  const [from, setFrom] = useState(0)
  const place = useRef<HTMLDivElement>(null)
  const { state, isVoice, size } = message.media ?? {}
  const isNear = useNear(place, state === 'ready' && isVoice === true && (size ?? WAVE_MOST) < WAVE_MOST)
  const { address, file, failed, broken, setBroken, again } = useFile(message, asked !== 'no' || isNear)
  const wave = useWave(isVoice ? file : undefined)
  const playing = usePlaying(message.id)
  const speed = useSpeed()
  useEffect(() => {
    if (asked !== 'play' || !address) return
    setAsked('held')
    play(message.id, address, from, () => setBroken(true))
  }, [asked, address, from, message.id, setBroken])
  const seconds = playing?.seconds || mediaKnown(message)?.seconds || 0
  const time = playing?.time ?? from
  const running = playing !== null && !playing.paused
  if (broken || (failed && (asked !== 'no' || state === 'failed')))
    return <NoPreview message={message} onAgain={again} />
  return (
    <div ref={place} className={classes.sound}>
      <button
        type="button"
        className={classes.round}
        onClick={() => (running ? pause() : setAsked('play'))}
        disabled={message.media?.state === 'loading'}
        aria-label={t(running ? 'pause' : 'play')}
        aria-busy={asked === 'play' || undefined}
      >
        {running ? (
          <IconPlayerPauseFilled size={18} aria-hidden />
        ) : (
          <IconPlayerPlayFilled size={18} aria-hidden />
        )}
      </button>
      <span className={classes.track} data-wave={wave ? true : undefined}>
        {wave && <Wave bars={wave} done={seconds > 0 ? time / seconds : 0} />}
        <input
          type="range"
          min={0}
          max={Math.max(seconds, 0.1)}
          step={0.1}
          value={Math.min(time, seconds)}
          aria-label={t('position')}
          aria-valuetext={clockTime(time)}
          style={{ '--done': `${seconds > 0 ? Math.min(100, (time / seconds) * 100) : 0}%` } as object}
          onChange={event => {
            const to = Number(event.currentTarget.value)
            setFrom(to)
            seek(message.id, to)
          }}
        />
        <span className={classes.times}>
          {message.media?.isVoice && (
            <span role="img" aria-label={t('voice')}>
              <IconMicrophone size={14} stroke={2} aria-hidden />
            </span>
          )}
          {(playing || seconds > 0) && <span>{clockTime(playing || from > 0 ? time : seconds)}</span>}
        </span>
      </span>
      <button
        type="button"
        className={classes.speed}
        onClick={changeSpeed}
        aria-label={t('speed', { speed: `${speed.toLocaleString(document.documentElement.lang)}×` })}
      >
        {speed.toLocaleString(document.documentElement.lang)}×
      </button>
      {file && (
        <IconButton
          small
          label={t('download', { name: message.media?.name || t('audio') })}
          onClick={() => saveBytes(file, message.media?.name || t('audio'))}
        >
          <IconDownload size={17} stroke={1.75} />
        </IconButton>
      )}
    </div>
  )
}

function Wave({ bars, done }: { bars: number[]; done: number }) {
  return (
    <span className={classes.wave} aria-hidden>
      {bars.map((loud, at) => (
        <span
          // biome-ignore lint/suspicious/noArrayIndexKey: bars never move
          key={at}
          data-done={at / bars.length < done || undefined}
          style={{ height: `${Math.max(12, loud * 100)}%` }}
        />
      ))}
    </span>
  )
}
