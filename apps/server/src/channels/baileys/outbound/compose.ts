import { replaceMentions } from '@balcao/contract/mentions.rules.ts'
import {
  type AnyMessageContent,
  generateWAMessageContent,
  type MessageContentGenerationOptions,
  type proto,
  type SocketConfig,
  type WASocket,
  type WAUrlInfo,
} from 'baileys'
import {
  type LinkPreview,
  type Outgoing,
  type OutgoingContent,
  type SessionHost,
  Unreachable,
} from '../../../driver.ts'
import { thumbnailOf } from '../../thumbnail.ts'
import { jidOf } from '../inbound/addresses.ts'
import { cardsOf } from '../inbound/contact-cards.ts'
import { boundedCache } from '../keys/cache.ts'
import { ownSecret } from '../keys/secrets.ts'

/** Phones ask again within seconds, a message of unknown fate goes out again within minutes. */
const REMEMBERED = 500
const UPLOAD_MS = 60_000

type Composable = Pick<Outgoing, 'body' | 'content' | 'isForwarded'>

/** It will never go out, however often it is tried. */
export class Refused extends Error {
  readonly reason: string

  constructor(reason: string) {
    super(reason)
    this.reason = reason
  }
}

/** Composes messages; a file is uploaded once, however often its message goes out. */
export interface Composer {
  /** Throws `Refused` for what WhatsApp cannot send. */
  compose(sock: Uploading, externalId: string, sentBefore: Composable): Promise<proto.IMessage>
  /** What went out under this id, with the quote that it carried; undefined when that is forgotten. */
  remembered(externalId: string): proto.IMessage | undefined
  /** The same, or composed again from what the product knows; undefined when the id is not ours. */
  again(sock: Uploading, externalId: string): Promise<proto.IMessage | undefined>
}

type Uploading = Pick<WASocket, 'waUploadToServer' | 'authState'>

/** It outlives the sockets of a session. */
export function createComposer(
  logger: SocketConfig['logger'],
  host: Pick<SessionHost, 'sent' | 'voiceNote' | 'waveform' | 'linkPreview'>,
): Composer {
  const known = boundedCache(REMEMBERED)
  const remembered = (id: string) => known.get<proto.IMessage>(id) as proto.IMessage | undefined
  const composer: Composer = {
    remembered,
    async again(sock, externalId) {
      const sentBefore = remembered(externalId) ? null : await host.sent(externalId)
      if (!sentBefore) return remembered(externalId)
      return composer.compose(sock, externalId, sentBefore).catch(error => {
        if (error instanceof Refused) return undefined
        throw error
      })
    },
    async compose({ waUploadToServer, authState }, externalId, sentBefore) {
      const made = remembered(externalId)
      if (made) return made
      const upload: typeof waUploadToServer = (...given) =>
        waUploadToServer(...given).catch(error => {
          throw new Unreachable('ERR_WAPP_UNREACHABLE', { cause: error })
        })
      const options: MessageContentGenerationOptions = { upload, logger, mediaUploadTimeoutMs: UPLOAD_MS }
      const content = {
        ...(await contentFor(sentBefore, host)),
        ...(sentBefore.isForwarded && FORWARDED),
      }
      const message = await generateWAMessageContent(content, options)
      const messageSecret = ownSecret(authState.creds, externalId)
      message.messageContextInfo = { ...message.messageContextInfo, messageSecret }
      known.set(externalId, message)
      return message
    },
  }
  return composer
}

const previewOf = (preview: LinkPreview | null): WAUrlInfo | null =>
  preview && {
    'canonical-url': preview.matched,
    'matched-text': preview.matched,
    title: preview.title,
    ...(preview.description && { description: preview.description }),
    ...(preview.thumbnail && { jpegThumbnail: Buffer.from(preview.thumbnail, 'base64') }),
  }

/** As WhatsApp marks a message that is forwarded for the first time. */
const FORWARDED = { contextInfo: { isForwarded: true, forwardingScore: 1 } }

type VoiceNotes = Pick<SessionHost, 'voiceNote' | 'waveform'>

async function contentFor(
  { body, content }: Composable,
  host: VoiceNotes & Pick<SessionHost, 'linkPreview'>,
): Promise<AnyMessageContent> {
  switch (content.kind) {
    case 'text':
      // Without the null Baileys would fetch any address in the text.
      return { ...mentioning(body, content.mentions), linkPreview: previewOf(await host.linkPreview(body)) }
    case 'location': {
      const { latitude, longitude, name, address } = content.place
      return { location: { degreesLatitude: latitude, degreesLongitude: longitude, name, address } }
    }
    case 'contacts': {
      const contacts = cardsOf(content.cards)
      if (contacts.length === 0) throw new Refused('ERR_SENDING_WAPP_MSG')
      return {
        contacts: { displayName: contacts.map(({ displayName }) => displayName).join(', '), contacts },
      }
    }
    case 'file':
      return fileFor(body, content, host)
    case 'choices':
      // What could be relayed raw is not shown by every phone: half a message is worse than none.
      throw new Refused('ERR_WAPP_UNSUPPORTED')
    default:
      // Approved templates exist on the official API only.
      throw new Refused('ERR_SENDING_WAPP_MSG')
  }
}

/** Phones write `@` and the digits of the address, and show the name under which they know the person. */
function mentioning(body: string, mentions: Extract<OutgoingContent, { kind: 'text' }>['mentions'] = []) {
  const text = replaceMentions(body, mentions, ({ value }) => `@${value}`)
  return { text, ...(mentions.length > 0 && { mentions: mentions.map(jidOf) }) }
}

async function fileFor(
  body: string,
  content: Extract<OutgoingContent, { kind: 'file' }>,
  voiceNotes: VoiceNotes,
): Promise<AnyMessageContent> {
  const { as, media } = content
  const { type: mimetype, width, height, seconds, name: fileName } = media
  const size = { ...(width && { width }), ...(height && { height }) }
  const caption = body || undefined
  // A sound has no caption: with words it goes out as a document, so that neither is lost.
  if (as === 'audio' && !caption) return audioFor(content, voiceNotes)
  if (as === 'image') {
    const jpegThumbnail = await thumbnailOf(content.open)
    return { image: { stream: await content.open() }, mimetype, caption, jpegThumbnail, ...size }
  }
  const stream = { stream: await content.open() }
  // An empty thumbnail: a real one would need a program that extracts frames.
  const film = { ...size, jpegThumbnail: '', ...(seconds !== null && { seconds }) }
  if (as === 'video') return { video: stream, mimetype, caption, ...film }
  if (as === 'sticker') return { sticker: stream, mimetype, ...size }
  return { document: stream, mimetype, fileName, caption }
}

const OPUS = 'audio/ogg; codecs=opus'
/** What is not known is drawn as a flat line. */
const FLAT = new Uint8Array(64)

/** A recording becomes a voice note, with its waveform; where that cannot be done it is sent as a sound. */
async function audioFor(
  { media, open }: Extract<OutgoingContent, { kind: 'file' }>,
  { voiceNote, waveform }: VoiceNotes,
): Promise<AnyMessageContent> {
  const known = media.seconds === null ? {} : { seconds: media.seconds }
  const voice = media.isVoice ? await voiceNote({ media, open }) : null
  if (!voice) return { audio: { stream: await open() }, mimetype: media.type, ...known }
  if (voice === 'as it is') {
    const { seconds = media.seconds, waveform: bars = FLAT } = (await waveform({ media, open })) ?? {}
    const length = seconds === null ? {} : { seconds }
    return { audio: { stream: await open() }, mimetype: OPUS, ptt: true, ...length, ...drawn(bars) }
  }
  return { audio: voice.bytes, mimetype: OPUS, ptt: true, seconds: voice.seconds, ...drawn(voice.waveform) }
}

/** Carried by Baileys, though its types do not know it. */
const drawn = (waveform: Uint8Array): object => ({ waveform })
