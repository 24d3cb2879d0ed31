import { FAILED, WAITING } from '@balcao/contract/messages.rules.ts'
import type { Message } from '@balcao/contract/messages.ts'
import {
  IconApi,
  IconArrowBackUp,
  IconArrowForwardUp,
  IconArrowIteration,
  IconCalendarTime,
  IconDeviceMobile,
  IconDotsVertical,
  IconMoodPlus,
  IconNote,
  IconRobot,
  IconSpeakerphone,
} from '@tabler/icons-react'
import { memo } from 'react'
import { phoneText } from '../../../platform/phone.ts'
import { useUser } from '../../../platform/session.tsx'
import { clock } from '../../../platform/time.ts'
import { AckMark } from '../../../ui/ack-mark.tsx'
import { hueOf } from '../../../ui/avatar.tsx'
import { Boundary } from '../../../ui/boundary.tsx'
import { soon } from '../../../ui/soon.tsx'
import { MessageContent } from '../../media/content.tsx'
import { briefly, colleagueOf } from '../../media/words.ts'
import { useMessageText } from '../messages.text.ts'
import classes from './bubble.module.css'
import { UploadBar } from './delivery.tsx'
import { Reactions } from './reactions.tsx'
import { SelectBox } from './select-box.tsx'
import { useThreadText } from './thread.text.ts'
import { Unsent } from './unsent.tsx'

const ReferralCard = soon(() => import('../../media/referral-card.tsx'))

/** What may be done with messages here; the same object for every bubble. */
export interface BubbleTools {
  /** Answering and reacting are for open tickets. */
  open: boolean
  /** Deleted messages are shown where the company keeps them. */
  seesDeleted: boolean
  reply(message: Message): void
  react(message: Message, emoji: string): void
  show(what: 'menu' | 'signs', message: Message, anchor: HTMLElement): void
  jump(messageId: string): void
}

interface Props {
  message: Message
  /** The first of a group of one sender. */
  first: boolean
  /** The first part of an album. */
  isAlbum: boolean
  tools: BubbleTools
}

/** Kinds that fill the bubble to a thin edge. */
const framed = new Set(['image', 'video', 'document'])

/** One message. A failed one stays in its position, shows why, and can be resent. */
export const Bubble = memo(function Bubble({ message, first, isAlbum, tools }: Props) {
  const t = useThreadText()
  const failed = message.fromMe && message.ack === FAILED
  const bare = message.mediaType === 'sticker' && !message.isDeleted
  return (
    <div className={classes.around} data-mine={message.fromMe || undefined}>
      <SelectBox message={message} />
      <div className={classes.body}>
        <article
          id={`message-${message.id}`}
          className={classes.bubble}
          data-mine={message.fromMe || undefined}
          data-first={first || undefined}
          data-failed={failed || undefined}
          data-bare={bare || undefined}
          data-framed={framed.has(message.mediaType ?? '') && !message.isDeleted ? true : undefined}
          data-note={message.isPrivate || undefined}
          data-message={message.id}
        >
          {message.author && first && !message.fromMe && <Author message={message} />}
          {message.isPrivate && (
            <span className={classes.note}>
              <IconNote size={14} stroke={2} aria-hidden />
              {t('note')}
            </span>
          )}
          {message.fromMe && first && <Writer message={message} />}
          {isAlbum && !message.isDeleted && <span className={classes.forwarded}>{t('album')}</span>}
          {message.isForwarded && !message.isDeleted && (
            <span className={classes.forwarded}>
              <IconArrowForwardUp size={14} stroke={2} aria-hidden />
              {t('forwarded')}
            </span>
          )}
          {message.quotedMsg && !message.isDeleted && <Quote message={message} onJump={tools.jump} />}
          {message.referral && !message.isDeleted && <ReferralCard referral={message.referral} />}
          <Boundary instead={<em>{t('unshown')}</em>}>
            <MessageContent message={message} />
          </Boundary>
          <span className={classes.foot}>
            {message.editedAt && !message.isDeleted && <span>{t('edited')}</span>}
            <time dateTime={message.createdAt}>{clock(message.createdAt).format('HH:mm')}</time>
            {message.fromMe && !message.isPrivate && (
              <AckMark
                ack={message.ack}
                className={classes.ack}
                isLeaving={message.version === 0 || message.dueAt !== null}
                waitsFor={message.ack === WAITING ? message.failReason : ''}
              />
            )}
          </span>
        </article>
        {message.version === 0 && <UploadBar message={message} />}
        {!message.isDeleted && !message.isPrivate && (
          <Reactions
            message={message}
            onToggle={tools.open ? emoji => tools.react(message, emoji) : undefined}
          />
        )}
      </div>
      {!failed && (!message.isDeleted || tools.seesDeleted) && message.version > 0 && (
        <Tools message={message} tools={tools} />
      )}
      {(failed || message.version === 0) && <Unsent message={message} />}
    </div>
  )
})

/** Plain buttons: a conversation has hundreds of them; the menu they open is mounted once. */
function Tools({ message, tools }: Pick<Props, 'message' | 'tools'>) {
  const t = useMessageText()
  return (
    <span className={classes.tools}>
      {tools.open && !message.isDeleted && !message.isPrivate && (
        <>
          <button
            type="button"
            data-often
            aria-label={t('reply')}
            title={t('reply')}
            onClick={() => tools.reply(message)}
          >
            <IconArrowBackUp size={17} stroke={1.75} aria-hidden />
          </button>
          <button
            type="button"
            data-often
            aria-label={t('react')}
            title={t('react')}
            onClick={event => tools.show('signs', message, event.currentTarget)}
          >
            <IconMoodPlus size={17} stroke={1.75} aria-hidden />
          </button>
        </>
      )}
      <button
        type="button"
        aria-label={t('messageActions')}
        title={t('messageActions')}
        aria-haspopup="menu"
        onClick={event => tools.show('menu', message, event.currentTarget)}
      >
        <IconDotsVertical size={17} stroke={1.75} aria-hidden />
      </button>
    </span>
  )
}

/** Author in a group; the same hue as the avatar of that name. */
function Author({ message: { author } }: { message: Message }) {
  if (!author) return null
  const name = author.name || phoneText(author.number)
  return (
    <span className={classes.author} data-hue={hueOf(name)}>
      {name}
      {author.name && author.number && <span>{phoneText(author.number)}</span>}
    </span>
  )
}

const speakers = {
  bot: IconRobot,
  flow: IconArrowIteration,
  schedule: IconCalendarTime,
  phone: IconDeviceMobile,
  campaign: IconSpeakerphone,
  api: IconApi,
}

/** The company's author: a colleague or an automation; one's own messages show none. */
function Writer({ message }: { message: Message }) {
  const me = useUser().id
  useThreadText()
  const { source, user } = message
  if (user?.id === me && (source === 'person' || source === 'contact')) return null
  const Icon = source === 'greeting' ? IconRobot : speakers[source as 'bot']
  return (
    <span className={classes.writer}>
      {Icon && <Icon size={14} stroke={2} aria-hidden />}
      {colleagueOf(message, me)}
    </span>
  )
}

function Quote({ message: { quotedMsg: quoted }, onJump }: { message: Message; onJump(id: string): void }) {
  const t = useThreadText()
  const me = useUser().id
  if (!quoted) return null
  const { id } = quoted
  const author = quoted.fromMe ? colleagueOf(quoted, me) : quoted.author
  const words = (
    <>
      <strong>{quoted.isStatus ? t('status', { name: author }) : author}</strong>
      <span dir="auto">{quoted.isDeleted ? t('deleted') : briefly(quoted)}</span>
    </>
  )
  // without the message there is nothing to go to
  if (id === null) return <div className={classes.quote}>{words}</div>
  return (
    <button type="button" className={classes.quote} onClick={() => onJump(id)}>
      {words}
    </button>
  )
}
