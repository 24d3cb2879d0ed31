import type { NoteMention } from '@balcao/contract/mentions.ts'
import { Button, Switch } from '@mantine/core'
import { IconAt } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { notify } from '../../platform/notify.tsx'
import { clock } from '../../platform/time.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { Empty } from '../../ui/empty.tsx'
import { useGoTo } from '../../ui/go-to.ts'
import { Page } from '../../ui/page.tsx'
import { mentionPages, readMentions } from './mentions.api.ts'
import { useMentionMenuText } from './mentions.menu.text.ts'
import classes from './mentions.module.css'
import { useMentionNoticeText } from './mentions.notice.text.ts'
import { useMentionText } from './mentions.text.ts'

/** Notes in which the viewer is mentioned; one of them opens its ticket at the note. */
export default function MentionsScreen() {
  const t = useMentionText()
  const title = useMentionMenuText()('mentions')
  const [onlyUnread, setOnlyUnread] = useState(false)
  const { data, isError, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(
    mentionPages(onlyUnread),
  )
  const rows = data?.pages.flatMap(page => page.mentions)
  const unread = data?.pages[0]?.unread ?? 0
  return (
    <Page
      title={title}
      actions={
        <>
          <Switch
            label={t('onlyUnread')}
            checked={onlyUnread}
            onChange={event => setOnlyUnread(event.currentTarget.checked)}
          />
          <Button
            variant="default"
            disabled={unread === 0}
            onClick={() => void readMentions().catch(notify.failed)}
          >
            {t('readAll')}
          </Button>
        </>
      }
    >
      {isError && !data && (
        <Empty
          icon={<IconAt size={26} />}
          title={t('failed')}
          action={
            <Button variant="default" onClick={() => void refetch()}>
              {t('again')}
            </Button>
          }
        />
      )}
      {rows?.length === 0 && (
        <Empty icon={<IconAt size={26} />} title={t('none')}>
          {t('noneHint')}
        </Empty>
      )}
      {rows && rows.length > 0 && (
        <ul className={classes.list} aria-label={title}>
          {rows.map(mention => (
            <li key={mention.id}>
              <Row mention={mention} />
            </li>
          ))}
        </ul>
      )}
      {hasNextPage && (
        <Button variant="default" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {t('more')}
        </Button>
      )}
    </Page>
  )
}

function Row({ mention }: { mention: NoteMention }) {
  const t = useMentionText()
  const goTo = useGoTo()
  const name = mention.from?.name ?? useMentionNoticeText.read('team')
  const isUnread = mention.readAt === null
  return (
    <button
      type="button"
      className={classes.row}
      data-unread={isUnread || undefined}
      onClick={() => {
        if (isUnread) void readMentions([mention.id]).catch(notify.failed)
        goTo(`/tickets/${mention.ticketId}`, { state: { found: mention.messageId } })
      }}
    >
      <Avatar name={name} size={34} />
      <span className={classes.words}>
        <span className={classes.head}>
          <strong>{name}</strong>
          <span>{t('in', { contact: mention.contact.name })}</span>
          <time dateTime={mention.createdAt}>{clock(mention.createdAt).format('L LT')}</time>
        </span>
        <span className={classes.body}>{mention.body}</span>
      </span>
      {isUnread && <span className={classes.mark}>{t('unread')}</span>}
    </button>
  )
}
