import { Readable } from 'node:stream'
import { cut } from '@balcao/contract/cut.rules.ts'
import { MAX_BODY } from '@balcao/contract/messages.input.ts'
import type { InboundEvent } from '../driver.ts'

/** A source that begins so is the file itself. */
const TEXT = 'text:'
/** Of the source as JSON: it is stored with its event. */
const MAX_SOURCE = 131_072
/** Lines and quotation marks are longer in JSON. */
const MAX_REST = 100_000

/**
 * A received text that is longer than a message may be: it is cut, and what follows is its file, instead of the preview of a link.
 * Any other event as it is, also a text with other data, such as buttons: a file is shown without them. What is longer than an
 * event may be is cut again.
 */
export function withRestAsFile(event: InboundEvent): InboundEvent {
  if (event.kind !== 'message' || event.mediaType !== null || event.file || event.body.length <= MAX_BODY)
    return event
  const { data: preview, ...message } = event
  if (preview && !('url' in preview)) return event
  const text = event.body.replaceAll('\0', '').toWellFormed()
  const body = cut(text, MAX_BODY)
  const rest = cut(text.replace(body, ''), MAX_REST)
  const source = `${TEXT}${rest}`
  if (rest === '' || JSON.stringify(source).length > MAX_SOURCE) return { ...event, body }
  const size = Buffer.byteLength(rest)
  const measures = { size, seconds: null, width: null, height: null, isVoice: false }
  const file = { name: 'mensagem.txt', type: 'text/plain', ...measures, source }
  return { ...message, body, mediaType: 'document', file }
}

/** The file that a source is itself; null where it is to be fetched from the network. */
export const fileInSource = (source: string): Readable | null =>
  source.startsWith(TEXT)
    ? Readable.from([Buffer.from(source.replace(TEXT, ''))], { objectMode: false })
    : null
