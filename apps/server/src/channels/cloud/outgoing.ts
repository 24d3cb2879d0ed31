import { type Choices, MAX_OVER } from '@balcao/contract/choices.ts'
import { cut } from '@balcao/contract/cut.rules.ts'
import type { CardData } from '@balcao/contract/media.ts'
import { MAX_CLOUD_CAPTION, MAX_CLOUD_TEXT } from '@balcao/contract/tickets.rules.ts'
import type { OutgoingContent } from '../../driver.content.ts'
import type { Chat, Outgoing, SessionHost } from '../../driver.ts'
import { Unsendable } from './errors.ts'
import { asVoiceNote, checkSticker, shapeOf } from './media.ts'
import { pollAsOffered } from './polls.ts'

interface Deps {
  /** Meta's id of a file. */
  upload(file: Extract<OutgoingContent, { kind: 'file' }>, type: string): Promise<string>
  voiceNote: SessionHost['voiceNote']
  /** What Meta wants under a template's `components`. Throws Unsendable. */
  fill(template: Extract<OutgoingContent, { kind: 'template' }>): Promise<object[]>
}

/** To whom, in Meta's words: a number where one is known. Throws Unsendable for groups and LIDs. */
export function recipientOf({ kind, value, also }: Chat): { to: string } | { recipient: string } {
  if (kind === 'phone') return { to: value }
  if (also?.kind === 'phone') return { to: also.value }
  if (kind === 'cloud') return { recipient: value }
  if (also?.kind === 'cloud') return { recipient: also.value }
  throw new Unsendable('ERR_WAPP_OTHER_NETWORK')
}

/** `type` and its content. Throws Unsendable. */
export async function bodyOf(message: Outgoing, deps: Deps): Promise<object> {
  const { body, content } = message
  switch (content.kind) {
    case 'text':
      if (body.length > MAX_CLOUD_TEXT) throw new Unsendable('ERR_WAPP_TOO_LONG')
      // the phone shows a preview of the first page that it names
      return { type: 'text', text: { body, preview_url: /https?:\/\//i.test(body) } }
    case 'file':
      return fileOf(body, content, deps)
    case 'location': {
      const { latitude, longitude, name, address } = content.place
      return {
        type: 'location',
        location: { latitude, longitude, ...(name && { name }), ...(address && { address }) },
      }
    }
    case 'contacts':
      return { type: 'contacts', contacts: cardsOf(content.cards) }
    case 'choices':
      if (body.length > MAX_OVER[content.choices.kind]) throw new Unsendable('ERR_WAPP_TOO_LONG')
      return { type: 'interactive', interactive: { body: { text: body }, ...interactiveOf(content) } }
    case 'poll': {
      const { body: text, choices } = pollAsOffered(message, content)
      return bodyOf({ ...message, body: text, content: choices ?? { kind: 'text' } }, deps)
    }
    case 'template': {
      const { name, language } = content
      const components = await deps.fill(content)
      return { type: 'template', template: { name, language: { code: language }, components } }
    }
  }
}

/** A tap brings back its title, and its id, which counts the choices where none is given. */
function interactiveOf({ choices, tapIds = [] }: { choices: Choices; tapIds?: string[] }) {
  const idAt = (at: number) => tapIds[at] ?? `${at + 1}`
  if (choices.kind === 'buttons') {
    const buttons = choices.buttons.map((title, at) => ({ type: 'reply', reply: { id: idAt(at), title } }))
    return { type: 'button', action: { buttons } }
  }
  let place = 0
  const sections = choices.sections.map(({ title, rows }) => ({
    ...(title && { title }),
    rows: rows.map(row => ({
      id: idAt(place++),
      title: row.title,
      ...(row.description && { description: row.description }),
    })),
  }))
  return { type: 'list', action: { button: choices.button, sections } }
}

async function fileOf(
  body: string,
  given: Extract<OutgoingContent, { kind: 'file' }>,
  { upload, voiceNote }: Deps,
) {
  await checkSticker(given)
  const file = body ? given : await asVoiceNote(given, voiceNote)
  const { kind, type, voice } = shapeOf(file, body)
  const hasCaption = kind === 'image' || kind === 'video' || kind === 'document'
  if (hasCaption && body.length > MAX_CLOUD_CAPTION) throw new Unsendable('ERR_WAPP_TOO_LONG')
  const id = await upload(file, type)
  return {
    type: kind,
    [kind]: {
      id,
      ...(hasCaption && body && { caption: body }),
      ...(kind === 'document' && { filename: cut(file.media.name, 240) }),
      ...(voice && { voice: true }),
    },
  }
}

const cardsOf = ({ contacts }: CardData) =>
  contacts.map(({ name, phones }) => {
    const shown = name.trim() || phones[0]?.number || 'WhatsApp'
    return {
      name: { formatted_name: shown, first_name: shown },
      phones: phones.map(({ number, onWhatsApp }) => ({
        phone: number.startsWith('+') ? number : `+${number.replace(/\D/g, '')}`,
        type: 'CELL',
        ...(onWhatsApp && { wa_id: number.replace(/\D/g, '') }),
      })),
    }
  })
