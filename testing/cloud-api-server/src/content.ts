import { type Attached, attach } from './attached.ts'
import type { InteractiveAsked } from './interactive-shapes.ts'
import type { MediaKind } from './media-kinds.ts'
import { KINDS, type Kind } from './message-shapes.ts'
import type { PhoneNumber } from './phone-number.ts'
import { read } from './reading.ts'
import { fill } from './template-filling.ts'
import type { TemplateCategory } from './templates.ts'

/** Something a person can tap. */
export interface Tap {
  as: 'button_reply' | 'list_reply' | 'button'
  /** The id of a button or a row; the payload of a template's button. */
  id: string
  title: string
  description?: string
}

/** The content of a message. */
export interface Content {
  type: Kind
  /** What a person reads: the text, the caption, the template with its values. */
  text: string
  /** As in the request. */
  asked: unknown
  attached: Attached[]
  taps: Tap[]
  /** Of a template. */
  category?: TemplateCategory
  reaction?: { to: string; emoji: string }
}

/** Reads the value under the kind's name. Throws what Graph refuses at once. */
export function readContent(number: PhoneNumber, type: Kind, params: Record<string, unknown>): Content {
  const plain = { type, attached: [], taps: [] }
  switch (type) {
    case 'text': {
      const asked = read(KINDS.text, params.text, 'text')
      return { ...plain, asked, text: asked.body }
    }
    case 'image':
    case 'video':
    case 'audio':
    case 'document':
    case 'sticker':
      return fileContent(number, type, params)
    case 'interactive':
      return interactiveContent(number, read(KINDS.interactive, params.interactive, 'interactive'))
    case 'template':
      return fill(number, read(KINDS.template, params.template, 'template'))
    case 'reaction': {
      const asked = read(KINDS.reaction, params.reaction, 'reaction')
      return { ...plain, asked, text: asked.emoji, reaction: { to: asked.message_id, emoji: asked.emoji } }
    }
    case 'location': {
      const asked = read(KINDS.location, params.location, 'location')
      return { ...plain, asked, text: [asked.name, asked.address].filter(Boolean).join('\n') }
    }
    case 'contacts': {
      const asked = read(KINDS.contacts, params.contacts, 'contacts')
      return { ...plain, asked, text: asked.map(({ name }) => name.formatted_name).join('\n') }
    }
  }
}

function fileContent(number: PhoneNumber, type: MediaKind, params: Record<string, unknown>): Content {
  const asked: { id?: string; link?: string; caption?: string; voice?: boolean } = read(
    KINDS[type],
    params[type],
    type,
  )
  const attached = [attach(number, type, asked, type, { voice: asked.voice })]
  return { type, asked, text: asked.caption ?? '', attached, taps: [] }
}

function interactiveContent(number: PhoneNumber, asked: InteractiveAsked): Content {
  const parts = [asked.header?.type === 'text' ? asked.header.text : '', asked.body.text, asked.footer?.text]
  const text = parts.filter(Boolean).join('\n')
  return { type: 'interactive', asked, text, attached: headerFile(number, asked.header), taps: tapsOf(asked) }
}

function headerFile(number: PhoneNumber, header: InteractiveAsked['header']): Attached[] {
  const under = (kind: string) => `interactive['header']['${kind}']`
  switch (header?.type) {
    case 'image':
      return [attach(number, 'image', header.image, under('image'))]
    case 'video':
      return [attach(number, 'video', header.video, under('video'))]
    case 'document':
      return [attach(number, 'document', header.document, under('document'))]
    default:
      return []
  }
}

function tapsOf(asked: InteractiveAsked): Tap[] {
  if (asked.type === 'button')
    return asked.action.buttons.map(({ reply }) => ({ as: 'button_reply', ...reply }))
  if (asked.type === 'list')
    return asked.action.sections.flatMap(({ rows }) =>
      rows.map(row => ({ as: 'list_reply' as const, ...row })),
    )
  return []
}
