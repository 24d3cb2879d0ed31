import type { Referral } from '@balcao/contract/media.ts'
import type { proto } from 'baileys'
import type { Mention, QuotedCopy } from '../../../../driver.ts'
import type { FilePart, SourceKind } from '../../media/sources.ts'

/** What a person sees of a message. */
export interface IncomingContent {
  body: string
  /** Null for plain text. */
  mediaType: string | null
  file?: { type: SourceKind; part: FilePart }
  /** One of the `…Data` shapes of the contract. */
  data?: object
  quotedExternalId?: string
  quotedCopy?: QuotedCopy
  mentions?: Mention[]
  isForwarded?: true
  /** What was tapped: the id of its choice. */
  tapId?: string
  referral?: Referral
  /** Of a pin: for how long. */
  pinSeconds?: number
}

/** What a kind reads of its part of a message. */
export type KindReading = Omit<Partial<IncomingContent>, 'body' | 'mediaType'> & {
  body?: string | null | undefined
  mediaType?: string
}

export type Field = keyof proto.IMessage
type Part<Name extends Field> = NonNullable<proto.IMessage[Name]>

/** Where a kind is met, for people: rows of the table in docs/channels.md. */
export interface KindShown {
  /** What people call it. */
  name: string
  /** In the conversation. */
  bubble: string
  /** In the list of conversations and in quotes; by default its text, else the name of the kind. */
  preview?: string
  /** What searches find, and exports, webhooks and models get; by default its text. */
  words?: string
  /** What a bot that awaits an answer gets; by default its text. */
  bot?: string
}

/** A kind of message: a file of this folder, and a line of the list in `index.ts`. */
export interface Kind extends KindShown {
  fields: Field[]
  read(part: unknown): KindReading
}

/** A kind that is read from these fields of a message. */
export const kindOf = <Name extends Field>(
  fields: Name[],
  shown: KindShown,
  read: (part: Part<Name>) => KindReading,
): Kind => ({ ...shown, fields, read: part => read(part as Part<Name>) })
