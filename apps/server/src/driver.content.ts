import type { Readable } from 'node:stream'
import type { Choices } from '@balcao/contract/choices.ts'
import type { CardData, Media, PlaceData } from '@balcao/contract/media.ts'

export interface FileContent {
  kind: 'file'
  as: 'image' | 'video' | 'audio' | 'document' | 'sticker'
  media: Media
  /** Hexadecimal, of the whole file. */
  key: string
  /** Opens the bytes, from the start, as often as asked. */
  open(): Promise<Readable>
}

/** A member of a group whose name stands in a text. */
export interface Mentioned {
  name: string
  kind: 'phone' | 'lid'
  value: string
}

/** The content of a message beside its body: the text, or the caption. */
export type OutgoingContent =
  /** `mentions`: members of the group whose names stand in the body as `@name`. */
  | { kind: 'text'; mentions?: Mentioned[] }
  | FileContent
  | { kind: 'location'; place: PlaceData }
  | { kind: 'contacts'; cards: CardData }
  /** `tapIds`: what a tap brings back, one for each choice in order. */
  | { kind: 'choices'; choices: Choices; tapIds?: string[] }
  /** The body is the question. */
  | { kind: 'poll'; options: string[]; isMultiple: boolean }
  | {
      kind: 'template'
      name: string
      language: string
      variables: string[]
      /** Of its header. */
      file?: FileContent
    }

/** A recording as phones draw it, in 64 bars from 0 to 100; and as WhatsApp plays it in the chat, Ogg with Opus. */
export type Waveform = { seconds: number; waveform: Uint8Array }
export type VoiceNote = Waveform & { bytes: Buffer }

/** The page behind a link, as it describes itself. */
export interface LinkPreview {
  /** The address as it is in the text. */
  matched: string
  title: string
  description: string
  /** A small JPEG in base64, or empty. */
  thumbnail: string
}
