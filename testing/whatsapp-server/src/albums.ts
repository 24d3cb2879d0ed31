import { proto } from 'baileys'
import { type Content, compose, type MessageKey } from './contents.ts'
import type { MediaHost } from './media-host.ts'

type Message = proto.IMessage
const { AssociationType } = proto.MessageAssociation

/** How a message belongs to another one. */
export type Belonging = 'album' | 'hd' | 'motion'

/** The frame of an album: the pictures and films follow as messages of their own, which name it. */
export const albumOf = (images: number, videos: number): Message => ({
  albumMessage: { expectedImageCount: images, expectedVideoCount: videos },
})

/**
 * A picture or film that belongs to another message. The better copy of one that was sent in small, and the film of a
 * moving photo, are inside `associatedChildMessage`; what belongs to an album is not (WhatsApp Web:
 * WAWebMessageAssociation; mautrix-whatsapp: `handleWAMessage`).
 */
export async function partOf(media: MediaHost, content: Content, parent: MessageKey, how: Belonging) {
  const message = await compose(media, content, {})
  const messageContextInfo = {
    messageAssociation: { associationType: typeOf(how, message), parentMessageKey: parent },
  }
  if (how === 'album') return { ...message, messageContextInfo }
  return { associatedChildMessage: { message }, messageContextInfo }
}

function typeOf(how: Belonging, { videoMessage }: Message): proto.MessageAssociation.AssociationType {
  if (how === 'album') return AssociationType.MEDIA_ALBUM
  if (how === 'motion') return AssociationType.MOTION_PHOTO
  return videoMessage ? AssociationType.HD_VIDEO_DUAL_UPLOAD : AssociationType.HD_IMAGE_DUAL_UPLOAD
}
