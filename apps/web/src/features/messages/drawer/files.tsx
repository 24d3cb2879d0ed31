import type { Message } from '@balcao/contract/messages.ts'
import type { Ticket } from '@balcao/contract/tickets.ts'
import { Button } from '@mantine/core'
import { IconMicrophone, IconNote, IconVideo } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import { clock } from '../../../platform/time.ts'
import { fileIcon } from '../../media/document-card.tsx'
import { useFile, useNear } from '../../media/file.tsx'
import { sizeText } from '../../media/words.ts'
import { filesOptions } from './drawer.api.ts'
import classes from './drawer.module.css'
import { useDrawerText } from './drawer.text.ts'
import { Failed } from './earlier-tickets.tsx'

const pictured = new Set(['image', 'video'])

/** Files sent in the conversation: pictures and films, then the others; each jumps to its message. */
export function Files({ ticket, onJump }: { ticket: Ticket; onJump(messageId: string): void }) {
  const t = useDrawerText()
  const { data, isError, isSuccess, hasNextPage, isFetchingNextPage, fetchNextPage, refetch } =
    useInfiniteQuery(filesOptions(ticket.contactId, ticket.id))
  const all = data?.pages.flatMap(page => page.messages) ?? []
  const media = all.filter(({ mediaType }) => pictured.has(mediaType ?? ''))
  const others = all.filter(({ mediaType }) => !pictured.has(mediaType ?? ''))
  return (
    <section className={classes.section}>
      <h3>{t('files')}</h3>
      {isError && <Failed again={() => void refetch()} />}
      {isSuccess && all.length === 0 && <p className={classes.note}>{t('noFiles')}</p>}
      {media.length > 0 && (
        <div className={classes.grid}>
          {media.map(message => (
            <Thumb key={message.id} message={message} onJump={onJump} />
          ))}
        </div>
      )}
      <ul className={classes.rows}>
        {others.map(message => (
          <li key={message.id}>
            <OtherFile message={message} onJump={onJump} />
          </li>
        ))}
      </ul>
      {hasNextPage && (
        <Button
          className={classes.more ?? ''}
          variant="subtle"
          size="xs"
          loading={isFetchingNextPage}
          onClick={() => void fetchNextPage()}
        >
          {t('more')}
        </Button>
      )}
    </section>
  )
}

interface FileProps {
  message: Message
  onJump(messageId: string): void
}

/** A picture is fetched when it is near; a film is shown by its sign. */
function Thumb({ message, onJump }: FileProps) {
  const t = useDrawerText()
  const box = useRef<HTMLButtonElement>(null)
  const isPicture = message.mediaType === 'image'
  const isNear = useNear(box, isPicture)
  const { address, broken, setBroken } = useFile(message, isPicture && isNear)
  const what = message.body || message.media?.name || t(isPicture ? 'photo' : 'video')
  // what the customer does not know is no file of the customer
  const name = message.isPrivate ? `${t('ofNote')}: ${what}` : what
  const label = t('show', { name: `${name}, ${clock(message.createdAt).format('L')}` })
  const Sign = isPicture ? fileIcon('image', '') : IconVideo
  return (
    <button
      ref={box}
      type="button"
      className={classes.thumb}
      aria-label={label}
      title={name}
      onClick={() => onJump(message.id)}
    >
      {isPicture && address && !broken ? (
        <img src={address} alt="" onError={() => setBroken(true)} />
      ) : (
        <Sign size={22} stroke={1.75} aria-hidden />
      )}
      {message.isPrivate && <IconNote className={classes.noted} size={18} stroke={2} aria-hidden />}
    </button>
  )
}

function OtherFile({ message, onJump }: FileProps) {
  const t = useDrawerText()
  const { media, mediaType } = message
  const isSound = mediaType === 'audio'
  const name = isSound ? t('audio') : media?.name || t('document')
  const Sign = isSound ? IconMicrophone : fileIcon(media?.type ?? '', media?.name ?? '')
  return (
    <button
      type="button"
      className={classes.row}
      title={t('show', { name: `${name}, ${clock(message.createdAt).format('L')}` })}
      onClick={() => onJump(message.id)}
    >
      <Sign size={20} stroke={1.75} aria-hidden />
      <span className="one-line">{name}</span>
      {message.isPrivate && (
        <span className={classes.note}>
          <IconNote size={14} stroke={2} aria-hidden /> {t('ofNote')}
        </span>
      )}
      <span className={classes.note}>
        {media?.size ? sizeText(media.size) : clock(message.createdAt).format('l')}
      </span>
    </button>
  )
}
