import { callIn, choicesIn, formIn, linkIn } from '@balcao/contract/media.rules.ts'
import { CIPHERTEXT, UNREADABLE_EDIT } from '@balcao/contract/messages.rules.ts'
import type { Message } from '@balcao/contract/messages.ts'
import { IconBan, IconDeviceMobile, IconEyeOff, IconPhone, IconPhoneX } from '@tabler/icons-react'
import { type ComponentType, useState } from 'react'
import { reasonText } from '../../platform/errors.text.ts'
import { useMinute } from '../../platform/minute.ts'
import { clock } from '../../platform/time.ts'
import { soon } from '../../ui/soon.tsx'
import { ContactCards } from './contact-cards.tsx'
import classes from './content.module.css'
import { DocumentCard } from './document-card.tsx'
import { Film } from './film.tsx'
import { Formatted, shortened } from './formatted.tsx'
import { useMediaText } from './media.text.ts'
import { Picture, Sticker } from './picture.tsx'
import { PlaceCard } from './place-card.tsx'
import { Sound } from './sound.tsx'
import { clockTime } from './words.ts'

const NotBrought = soon(() => import('./not-brought.tsx'))

type Kind = ComponentType<{ message: Message }>

const Cards = soon(() => import('./cards.tsx'))

/** Content of each kind above its text. */
const kinds: Record<string, Kind> = {
  image: Picture,
  sticker: Sticker,
  video: Film,
  audio: Sound,
  document: DocumentCard,
  location: PlaceCard,
  vcard: ContactCards,
  order: Cards,
  poll: Cards,
  event: Cards,
  payment: Cards,
  productMessage: Cards,
  groupInviteMessage: Cards,
}

/** Kinds whose texts repeat what is shown. */
const wordless = new Set([
  ...['location', 'vcard', 'sticker', 'order', 'poll', 'event', 'payment'],
  ...['productMessage', 'groupInviteMessage'],
])

/** The content of a message. An unknown kind shows its file or its text, else its name. */
export function MessageContent({ message }: { message: Message }) {
  const { mediaType, body } = message
  if (message.isDeleted) return <Deleted fromMe={message.fromMe} />
  if (mediaType === CIPHERTEXT) return <Waiting message={message} />
  if (mediaType === 'call_log') return <Call message={message} />
  if (mediaType === 'editedMessage' || mediaType === 'reactionMessage') return <Unknown message={message} />
  if (mediaType === null && formIn(message)) return <Cards message={message} />
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
      {message.failReason === UNREADABLE_EDIT && <OnPhone text={reasonText(UNREADABLE_EDIT)} />}
      {!Kind && <Choices message={message} />}
      {!Kind && !words && !choicesIn(message) && <Unsupported message={message} />}
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

/** A call: missed, or taken, with its length. */
export function Call({ message }: { message: Message }) {
  const t = useMediaText()
  const { outcome, seconds } = callIn(message)
  const time = clock(message.createdAt).format('HH:mm')
  const isTaken = outcome === 'taken'
  const Icon = isTaken ? IconPhone : IconPhoneX
  return (
    <span className={isTaken ? classes.call : `${classes.call} ${classes.missed}`}>
      <Icon size={15} stroke={2} aria-hidden />
      {t(isTaken ? 'takenCall' : 'missedCall', { time })}
      {seconds !== null && `, ${clockTime(seconds)}`}
    </span>
  )
}

/** A message may take as long as its sender, or the phone, is without a network; then somebody has to look. */
const LONG_MS = 3_600_000

/** The content is not here: it could not be decrypted yet, or the phone has it alone. */
function Waiting({ message }: { message: Message }) {
  const t = useMediaText()
  const isLong = useMinute() - Date.parse(message.createdAt) > LONG_MS
  return <OnPhone text={t(isLong ? 'waitingLong' : 'ciphertext')} />
}

/** What only the phone shows. */
function OnPhone({ text }: { text: string }) {
  return (
    <em className={classes.unread}>
      <IconDeviceMobile size={15} stroke={2} aria-hidden />
      {text}
    </em>
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

function Unsupported({ message }: { message: Message }) {
  const t = useMediaText()
  const { mediaType } = message
  if (mediaType === 'unsupported' || mediaType === 'masked' || mediaType === 'unknown')
    return <NotBrought message={message} />
  if (mediaType === 'viewOnceMessage')
    return (
      <em className={classes.deleted}>
        <IconEyeOff size={15} stroke={2} aria-hidden />
        {t('viewOnce')}
      </em>
    )
  const text = mediaType === 'media_placeholder' ? t(mediaType) : t('unsupported', { kind: mediaType ?? '?' })
  return <em className={classes.deleted}>{text}</em>
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
        <li key={at}>{choice}</li>
      ))}
    </ul>
  )
}
