import type { Referral } from '@balcao/contract/media.ts'
import type { proto } from 'baileys'
import { lineFrom, pageFrom, thumbnailFrom } from './text.ts'

/**
 * The ad or post through which somebody came; null elsewhere. Phones name it in `externalAdReply`, with its id and click
 * id, or, since February 2026, in fields alone that only Meta can read (WhiskeySockets/Baileys, issues 2186 and 2354): then
 * what is known is that it was an ad, and where. A page that is shown by `externalAdReply` without any of this is no ad.
 */
export function referralFrom(context: proto.IContextInfo | null | undefined): Referral | null {
  if (!context) return null
  const shown = context.externalAdReply ?? {}
  const cameByAd =
    AD_SOURCES.test(`${context.entryPointConversionSource ?? ''}`) ||
    AD_SOURCES.test(`${context.conversionSource ?? ''}`) ||
    (context.ctwaPayload?.length ?? 0) > 0
  const isNamed = Boolean(shown.sourceType || shown.sourceId || shown.ctwaClid)
  if (!cameByAd && !isNamed) return null
  const app = shown.sourceApp || context.entryPointConversionApp
  return {
    type: lineFrom(shown.sourceType, 30) || 'ad',
    sourceId: lineFrom(shown.sourceId, 200),
    sourceUrl: pageFrom(shown.sourceUrl),
    headline: lineFrom(shown.title),
    body: lineFrom(shown.body, 1_000),
    mediaType: MEDIA[shown.mediaType ?? 0] ?? '',
    mediaUrl: pageFrom(shown.mediaUrl) || pageFrom(shown.originalImageUrl) || pageFrom(shown.thumbnailUrl),
    thumbnail: thumbnailFrom(shown.thumbnail),
    clickId: lineFrom(shown.ctwaClid, 500),
    app: lineFrom(app, 30),
    catalogId: '',
  }
}

/** `ctwa_ad`, `FB_Ads` and their like; `global_search_new_chat` and `click_to_chat_link` are none. */
const AD_SOURCES = /(^|_)ads?($|_)/i

/** `ExternalAdReplyInfo.MediaType` of WhatsApp's protocol. */
const MEDIA: Record<number, string> = { 1: 'image', 2: 'video' }
