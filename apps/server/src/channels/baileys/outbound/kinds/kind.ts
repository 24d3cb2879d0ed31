import type { AnyMessageContent, BinaryNode } from 'baileys'
import type { OutgoingContent } from '../../../../driver.content.ts'
import type { Outgoing, SessionHost } from '../../../../driver.ts'

/** It will never go out, however often it is tried. */
export class Refused extends Error {
  readonly reason: string

  constructor(reason: string) {
    super(reason)
    this.reason = reason
  }
}

export type SentName = OutgoingContent['kind']
type ContentOf<Name extends SentName> = Extract<OutgoingContent, { kind: Name }>
export type SentBefore = Pick<Outgoing, 'body' | 'content' | 'isForwarded'>

/** What kinds ask the product for. */
export type SentTools = Pick<SessionHost, 'voiceNote' | 'waveform' | 'linkPreview'>

/** A kind of message that is sent: a file of this folder, and a line of the list in `index.ts`. */
export interface SentKind {
  /** Throws `Refused` for what WhatsApp cannot send. */
  compose(body: string, content: OutgoingContent, tools: SentTools): Promise<AnyMessageContent>
  /** What its stanza has beside the content. */
  nodes?: BinaryNode[]
}

export const sentKind = <Name extends SentName>(
  compose: (
    body: string,
    content: ContentOf<Name>,
    tools: SentTools,
  ) => AnyMessageContent | Promise<AnyMessageContent>,
  nodes?: BinaryNode[],
): SentKind => ({
  compose: async (body, content, tools) => compose(body, content as ContentOf<Name>, tools),
  ...(nodes && { nodes }),
})
