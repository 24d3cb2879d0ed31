import { stillIn } from '@balcao/contract/media.rules.ts'
import type { Message } from '@balcao/contract/messages.ts'
import { IconPhoto } from '@tabler/icons-react'
import { useState } from 'react'
import { soon } from '../../ui/soon.tsx'
import { Missing, NoPreview, useFile } from './file.tsx'
import classes from './media.module.css'
import { useMediaText } from './media.text.ts'
import { mediaKnown } from './upload.ts'
import { boxOf, onItsWay } from './words.ts'

const Lightbox = soon(() => import('./lightbox.dialog.tsx'))

/** A picture in its box; opens large. */
export function Picture({ message }: { message: Message }) {
  const t = useMediaText()
  const media = mediaKnown(message)
  const box = boxOf(media)
  const { address, file, failed, broken, setBroken, again } = useFile(message)
  const [open, setOpen] = useState(false)
  if (failed || broken) return <NoPreview message={message} box={box} onAgain={again} />
  if (!address)
    return (
      <Missing box={box} icon={<IconPhoto size={22} stroke={1.75} aria-hidden />} text={onItsWay(message)} />
    )
  const name = message.media?.name || t('image')
  return (
    <>
      <button
        type="button"
        className={classes.picture}
        style={box}
        onClick={() => setOpen(true)}
        aria-label={t('open', { name })}
      >
        <img
          src={address}
          alt={message.body || name}
          data-whole={media?.width ? undefined : true}
          onError={() => setBroken(true)}
        />
      </button>
      {open && file && (
        <Lightbox file={file} name={name} words={message.body} onClose={() => setOpen(false)} />
      )}
    </>
  )
}

/** A sticker is shown without a bubble. */
export function Sticker({ message }: { message: Message }) {
  return message.media ? <StickerFile message={message} /> : <Still message={message} />
}

/** An animated sticker whose format browsers do not show. */
function Still({ message }: { message: Message }) {
  const t = useMediaText()
  const still = stillIn(message)
  if (!still) return <em>{t('animated')}</em>
  const picture = `data:image/png;base64,${still}`
  return <img className={classes.sticker} style={STICKER} src={picture} alt={t('animated')} />
}

const STICKER = { width: 128, height: 128 }

function StickerFile({ message }: { message: Message }) {
  const t = useMediaText()
  const { address, failed, broken, setBroken, again } = useFile(message)
  if (failed || broken)
    return <NoPreview message={message} box={{ width: 180, height: 128 }} onAgain={again} />
  if (!address) return <div style={STICKER} role="img" aria-label={t('sticker')} />
  return (
    <img
      className={classes.sticker}
      style={STICKER}
      src={address}
      alt={t('sticker')}
      onError={() => setBroken(true)}
    />
  )
}
