import { choicesIn, linkIn } from '@balcao/contract/media.rules.ts'
import type { Message } from '@balcao/contract/messages.ts'
import { IconBan, IconCircle, IconPhoneX } from '@tabler/icons-react'
import { type ComponentType, useState } from 'react'
import { clock } from '../../platform/time.ts'
import { ContactCards } from './contact-cards.tsx'
import classes from './content.module.css'
import { DocumentCard } from './document-card.tsx'
import { Film } from './film.tsx'
import { Formatted, shortened } from './formatted.tsx'
import { useMediaText } from './media.text.ts'
import { OrderCard } from './order-card.tsx'
import { Picture, Sticker } from './picture.tsx'
import { PlaceCard } from './place-card.tsx'
import { Sound } from './sound.tsx'

type Kind = ComponentType<{ message: Message }>

/** Content of each kind above its text. */
const kinds: Record<string, Kind> = {
  image: Picture,
  sticker: Sticker,
  video: Film,
  audio: Sound,
  document: DocumentCard,
  location: PlaceCard,
  vcard: ContactCards,
  order: OrderCard,
}

/** Kinds whose texts repeat what is shown. */
const wordless = new Set(['location', 'vcard', 'sticker'])

/** The content of a message. An unknown kind shows its file or its text, else its name. */
export function MessageContent({ message }: { message: Message }) {
  const { mediaType, body } = message
  if (message.isDeleted) return <Deleted fromMe={message.fromMe} />
  if (mediaType === 'call_log') return <MissedCall message={message} />
  if (mediaType === 'editedMessage' || mediaType === 'reactionMessage') return <Unknown message={message} />
  const Kind =
    mediaType === null ? undefined : (kinds[mediaType] ?? (message.media ? DocumentCard : undefined))
  const words = mediaType !== null && wordless.has(mediaType) ? '' : body
  return (
    <>
      {Kind && <Kind message={message} />}
      {mediaType === null && <LinkPreview message={message} />}
      {words && (
        <span className={Kind && classes.caption}>
          <Folded text={words} />
        </span>
      )}
      <Choices message={message} />
      {!Kind && !words && !choicesIn(message) && <Unsupported kind={mediaType ?? '?'} />}
    </>
  )
}

/** A long text is collapsed: one message of many lines must not push the conversation away. */
function Folded({ text }: { text: string }) {
  const t = useMediaText()
  const [isOpen, setOpen] = useState(false)
  const short = shortened(text)
  if (short === text) return <Formatted text={text} />
  return (
    <>
      <Formatted text={isOpen ? text : `${short}…`} />
      <button type="button" className={classes.fold} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {t(isOpen ? 'fold' : 'unfold')}
      </button>
    </>
  )
}

/** A missed call. */
export function MissedCall({ message }: { message: Message }) {
  const t = useMediaText()
  return (
    <span className={classes.missed}>
      <IconPhoneX size={15} stroke={2} aria-hidden />
      {t('missedCall', { time: clock(message.createdAt).format('HH:mm') })}
    </span>
  )
}

function Deleted({ fromMe }: { fromMe: boolean }) {
  const t = useMediaText()
  return (
    <em className={classes.deleted}>
      <IconBan size={15} stroke={2} aria-hidden />
      {t(fromMe ? 'deleted' : 'deletedByContact')}
    </em>
  )
}

/** An edit of, or a reaction to, a message that is not cached. */
function Unknown({ message }: { message: Message }) {
  const t = useMediaText()
  if (message.mediaType === 'reactionMessage')
    return <em className={classes.deleted}>{t('reactedUnknown', { emoji: message.body })}</em>
  return (
    <>
      <em className={classes.deleted}>{t('editedUnknown')}</em>
      <br />
      <Folded text={message.body} />
    </>
  )
}

function Unsupported({ kind }: { kind: string }) {
  return <em className={classes.deleted}>{useMediaText()('unsupported', { kind })}</em>
}

/** Preview of a linked page, as sent by the phone: nothing is loaded from outside. */
function LinkPreview({ message }: { message: Message }) {
  const link = linkIn(message)
  if (!link || !/^https?:\/\//i.test(link.url) || !link.title) return null
  return (
    <a className={classes.link} href={link.url} target="_blank" rel="noopener noreferrer nofollow">
      {/^[A-Za-z0-9+/]+=*$/.test(link.thumbnail) && (
        <img src={`data:image/jpeg;base64,${link.thumbnail}`} alt="" width={64} height={64} />
      )}
      <span>
        <strong>{link.title}</strong>
        {link.description && <span>{link.description}</span>}
        <span className="one-line">{hostOf(link.url)}</span>
      </span>
    </a>
  )
}

const hostOf = (url: string) => (URL.canParse(url) ? new URL(url).host : url)

function Choices({ message }: { message: Message }) {
  const t = useMediaText()
  const choices = choicesIn(message) ?? []
  if (choices.length === 0) return null
  return (
    <ul className={classes.choices} aria-label={t('choices')}>
      {choices.map((choice, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two choices may read the same, and none moves
        <li key={at}>
          {message.mediaType === 'poll' && <IconCircle size={15} stroke={2} aria-hidden />}
          {choice}
        </li>
      ))}
    </ul>
  )
}
