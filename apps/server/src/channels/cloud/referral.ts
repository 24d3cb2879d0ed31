import { cut } from '@balcao/contract/cut.rules.ts'
import type { Referral } from '@balcao/contract/media.ts'
import { asText } from './values.ts'

/** Meta's pages "text messages webhook reference" and "Click to WhatsApp ads": every kind of message may have one. */
export interface GraphReferral {
  source_url?: string
  source_id?: string
  source_type?: string
  headline?: string
  body?: string
  media_type?: string
  image_url?: string
  video_url?: string
  thumbnail_url?: string
  ctwa_clid?: string
}

/** A customer writes from the page of a product (`context.referred_product`). */
export interface GraphProduct {
  catalog_id?: string
  product_retailer_id?: string
}

interface Referred {
  referral?: GraphReferral
  context?: { referred_product?: GraphProduct }
}

const NONE: Referral = {
  ...{ type: '', sourceId: '', sourceUrl: '', headline: '', body: '', mediaType: '' },
  ...{ mediaUrl: '', thumbnail: '', clickId: '', app: '', catalogId: '' },
}

/** The ad, post or product through which a customer came; null elsewhere. */
export function referralOf({ referral, context }: Referred): Referral | null {
  if (referral && typeof referral === 'object') return adOf(referral)
  const { catalog_id: catalogId, product_retailer_id: sourceId } = context?.referred_product ?? {}
  if (!asText(sourceId)) return null
  return {
    ...NONE,
    type: 'product',
    sourceId: cut(asText(sourceId), 200),
    catalogId: cut(asText(catalogId), 100),
  }
}

function adOf(given: GraphReferral): Referral {
  const url = asText(given.video_url) || asText(given.image_url) || asText(given.thumbnail_url)
  return {
    ...NONE,
    type: cut(asText(given.source_type) || 'ad', 30),
    sourceId: cut(asText(given.source_id), 200),
    sourceUrl: pageOf(given.source_url),
    headline: cut(asText(given.headline), 255),
    body: cut(asText(given.body), 1_000),
    mediaType: cut(asText(given.media_type), 30),
    mediaUrl: pageOf(url),
    clickId: cut(asText(given.ctwa_clid), 500),
  }
}

/** The webhook may be signed by whoever pays for it: a browser is led to pages only. */
function pageOf(given: unknown): string {
  const url = cut(asText(given), 2_048)
  return /^https?:\/\//i.test(url) && URL.canParse(url) ? url : ''
}
