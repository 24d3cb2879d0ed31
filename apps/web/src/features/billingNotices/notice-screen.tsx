import { type NoticePlatform, noticePlatforms } from '@balcao/contract/billingNotices.rules.ts'
import { billingNotices, type NoticePage } from '@balcao/contract/billingNotices.ts'
import { isPaid } from '@balcao/contract/invoices.rules.ts'
import type { Places } from '@balcao/contract/pages.rules.ts'
import { useEffect } from 'react'
import { useAsked } from '../../platform/asked.ts'
import { ApiError, call } from '../../platform/call.ts'
import { Loading } from '../../shell/loading.tsx'
import { PlainButton } from '../../ui/plain/button.tsx'
import { PixCode } from '../invoices/pix-code.tsx'
import { FormResult } from '../leads/form-result.tsx'
import { StorePage } from '../leads/store-page.tsx'
import classes from './billingNotices.module.css'
import { useNoticePageText } from './billingNotices.page.text.ts'
import { Html } from './letter-frame.tsx'

/** `/n/:platform/:id`: redirects to where the invoice is paid, or shows how to pay it (OP-123). */
export default function NoticeScreen({ places }: { places: Places }) {
  const { notificationPlatform, notificationId: id = '' } = places
  const platform = noticePlatforms.find(one => one === notificationPlatform)
  return platform ? <Notice platform={platform} id={id} /> : <NotOpen />
}

function Notice({ platform, id }: { platform: NoticePlatform; id: string }) {
  const { data, error, again } = useAsked(() => call(billingNotices.open, { params: { platform, id } }))
  const target = data?.urlRedirect
  useEffect(() => {
    if (target) location.replace(target)
  }, [target])
  if (error) return <NotOpen error={error} onAgain={again} />
  return data && !target ? <Opened notice={data} /> : <Loading />
}

function Opened({ notice }: { notice: NoticePage }) {
  const t = useNoticePageText()
  const { description, valueBrl, dueDate, pixCode, thumbnailHtml } = notice
  const day = dueDate.split('-').toReversed().join('/')
  const title = t('title', { value: valueBrl })
  if (isPaid(notice))
    return (
      <StorePage title={title} hint={t('due', { day })}>
        <FormResult word={t('paid')} hint="" />
      </StorePage>
    )
  return (
    <StorePage title={title} hint={t('due', { day })}>
      {thumbnailHtml ? (
        <Html title={title} html={thumbnailHtml} />
      ) : (
        <p className={classes.facts}>{description}</p>
      )}
      {pixCode ? <PixCode code={pixCode} /> : <p>{t('noWay')}</p>}
    </StorePage>
  )
}

function NotOpen({ error, onAgain }: { error?: Error; onAgain?(): void }) {
  const t = useNoticePageText()
  const isGone = !error || (error instanceof ApiError && error.status < 500)
  return (
    <StorePage title={t(isGone ? 'gone' : 'away')} hint={isGone ? t('goneHint') : ''}>
      {!isGone && <PlainButton onClick={onAgain}>{t('again')}</PlainButton>}
    </StorePage>
  )
}
