import { proto } from 'baileys'

const { AssociationType } = proto.MessageAssociation
const MOST_WRAPPERS = 5

/**
 * How a picture or film belongs to another message: as a part of an album, as the better copy of what was sent in small, or
 * as the film of a moving photo.
 */
export interface Belonging {
  as: 'album' | 'better' | 'film'
  parentId: string
}

const KINDS: Record<number, Belonging['as']> = {
  [AssociationType.MEDIA_ALBUM]: 'album',
  [AssociationType.HD_IMAGE_DUAL_UPLOAD]: 'better',
  [AssociationType.HD_VIDEO_DUAL_UPLOAD]: 'better',
  [AssociationType.HEVC_VIDEO_DUAL_UPLOAD]: 'better',
  [AssociationType.MOTION_PHOTO]: 'film',
}

/** What a message belongs to; null for one by itself. Phones name it beside the wrappers or inside of one. */
export function belongingOf(message: proto.IMessage | null | undefined): Belonging | null {
  let content = message ?? undefined
  for (let depth = 0; content && depth < MOST_WRAPPERS; depth++) {
    const { associationType, parentMessageKey } = content.messageContextInfo?.messageAssociation ?? {}
    const as = KINDS[associationType ?? -1]
    if (as && parentMessageKey?.id) return { as, parentId: parentMessageKey.id }
    content = innerOf(content)
  }
  return null
}

function innerOf(content: proto.IMessage): proto.IMessage | undefined {
  const wrapper =
    content.associatedChildMessage ??
    content.ephemeralMessage ??
    content.viewOnceMessage ??
    content.viewOnceMessageV2 ??
    content.editedMessage
  return wrapper?.message ?? undefined
}
