import type { Referral } from '@balcao/contract/media.ts'
import { IconPhoto, IconShoppingBag, IconSpeakerphone, IconVideo } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useReferralText } from './media.referral.text.ts'
import classes from './referral.module.css'

/**
 * The ad, post or product through which a customer came, above the message. Its picture is only the one that came with
 * the message: nothing is loaded from outside.
 */
export default function ReferralCard({ referral }: { referral: Referral }) {
  const t = useReferralText()
  const { type, headline, body, sourceId, thumbnail } = referral
  const known = type === 'ad' || type === 'post' || type === 'product' ? type : 'other'
  const Icon = known === 'product' ? IconShoppingBag : IconSpeakerphone
  const title = headline || (known === 'product' ? t('productId', { id: sourceId }) : '')
  return (
    <div className={classes.card} data-referral={type}>
      <span className={classes.kind}>
        <Icon size={14} stroke={2} aria-hidden />
        {[t(known), referral.app].filter(Boolean).join(' · ')}
      </span>
      <div className={classes.shown}>
        {/^[A-Za-z0-9+/]+=*$/.test(thumbnail) && (
          <img src={`data:image/jpeg;base64,${thumbnail}`} alt="" width={56} height={56} />
        )}
        <div>
          {title && (
            <strong dir="auto">
              <Outside url={referral.sourceUrl}>{title}</Outside>
            </strong>
          )}
          {body && <p dir="auto">{body}</p>}
          {!title && !body && <p>{sourceId ? t('sourceId', { id: sourceId }) : t('unknownAd')}</p>}
          {!title && <Outside url={referral.sourceUrl}>{hostOf(referral.sourceUrl)}</Outside>}
          <Picture referral={referral} />
        </div>
      </div>
    </div>
  )
}

function Picture({ referral: { mediaType, mediaUrl } }: { referral: Referral }) {
  const t = useReferralText()
  if (!isPage(mediaUrl)) return null
  const isVideo = mediaType === 'video'
  const Icon = isVideo ? IconVideo : IconPhoto
  return (
    <Outside url={mediaUrl}>
      <Icon size={14} stroke={2} aria-hidden />
      {t(isVideo ? 'video' : 'image')}
    </Outside>
  )
}

function Outside({ url, children }: { url: string; children: ReactNode }) {
  if (!isPage(url)) return children
  return (
    <a href={url} target="_blank" rel="noopener noreferrer nofollow">
      {children}
    </a>
  )
}

const isPage = (url: string) => /^https?:\/\//i.test(url)
const hostOf = (url: string) => (URL.canParse(url) ? new URL(url).host : '')
