import { z } from 'zod'

/**
 * An ad or a post that a person came from, as Meta's page "text messages webhook reference" describes `referral`: an image
 * has `image_url`, a video `video_url` and `thumbnail_url`. An ad in a status has no `ctwa_clid`.
 */
const Ad = z.strictObject({
  source_url: z.url(),
  source_id: z.string().min(1),
  source_type: z.enum(['ad', 'post']),
  headline: z.string(),
  body: z.string(),
  media_type: z.enum(['image', 'video']).optional(),
  image_url: z.url().optional(),
  video_url: z.url().optional(),
  thumbnail_url: z.url().optional(),
  ctwa_clid: z.string().optional(),
  welcome_message: z.strictObject({ text: z.string() }).optional(),
})

/** The product from whose page a person writes (`context.referred_product`). */
const Product = z.strictObject({ catalog_id: z.string().min(1), product_retailer_id: z.string().min(1) })

export interface CameBy {
  /** It opens a free entry point for 72 hours. */
  referral?: z.input<typeof Ad> | undefined
  product?: z.input<typeof Product> | undefined
}

/** Both in Meta's form. Throws for what Meta would not send. */
export const cameBy = ({ referral, product }: CameBy) => ({
  referral: referral && Ad.parse(referral),
  product: product && Product.parse(product),
})
