import { replaceMentions } from '@balcao/contract/mentions.rules.ts'
import type { WAUrlInfo } from 'baileys'
import type { LinkPreview, Mentioned } from '../../../../driver.content.ts'
import { jidOf } from '../../inbound/addresses.ts'
import { sentKind } from './kind.ts'

export const sentText = sentKind<'text'>(async (body, { mentions }, { linkPreview }) => ({
  ...withMentionedJids(body, mentions),
  // without the null Baileys would fetch any address in the text
  linkPreview: previewOf(await linkPreview(body)),
}))

/** Phones write `@` and the digits of the address, and show the name under which they know the person. */
export function withMentionedJids(
  body: string,
  mentions: Mentioned[] = [],
): { text: string; mentions?: string[] } {
  const text = replaceMentions(body, mentions, ({ value }) => `@${value}`)
  return { text, ...(mentions.length > 0 && { mentions: mentions.map(jidOf) }) }
}

const previewOf = (preview: LinkPreview | null): WAUrlInfo | null =>
  preview && {
    'canonical-url': preview.matched,
    'matched-text': preview.matched,
    title: preview.title,
    ...(preview.description && { description: preview.description }),
    ...(preview.thumbnail && { jpegThumbnail: Buffer.from(preview.thumbnail, 'base64') }),
  }
