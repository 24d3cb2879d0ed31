import type { AnyMessageContent } from 'baileys'
import type { FileContent } from '../../../../driver.content.ts'
import { thumbnailOf } from '../../../thumbnail.ts'
import { type SentTools, sentKind } from './kind.ts'

type VoiceNotes = Pick<SentTools, 'voiceNote' | 'waveform'>

export const sentFile = sentKind<'file'>(fileFor)

async function fileFor(
  body: string,
  content: FileContent,
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
  { media, open }: FileContent,
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
