import sax from 'sax'
import { SheetRefused } from './contactSheets.fault.rules.ts'

/** A workbook has elements within each other up to about ten, with about ten attributes. */
const MAX_DEPTH = 64
const MAX_ATTRIBUTES = 100

/** What is called while an XML document is read. Names come without their namespace. */
export interface XmlReader {
  open?(name: string, attributes: Record<string, string>): void
  close?(name: string): void
  /** A piece of the text of an element; a long one comes in several. */
  text?(text: string): void
}

/**
 * Reads XML as its bytes come; yields after each piece of them. No name, attribute or piece of text is longer than 64 kB
 * (the parser refuses the former, and divides the latter). Refuses with SheetRefused what is no XML, what is nested deep,
 * and a document type, so that entities of its own mean nothing.
 */
export async function* readXml(
  bytes: AsyncIterable<Buffer>,
  reader: XmlReader,
): AsyncGenerator<void, void, undefined> {
  const parser = sax.parser(true)
  let depth = 0
  let attributes = 0
  parser.onerror = () => notASheet()
  parser.ondoctype = notASheet
  parser.onattribute = () => {
    if (++attributes > MAX_ATTRIBUTES) notASheet()
  }
  parser.onopentag = tag => {
    if (++depth > MAX_DEPTH) notASheet()
    attributes = 0
    reader.open?.(localName(tag.name), tag.attributes as Record<string, string>)
  }
  parser.onclosetag = name => {
    depth--
    reader.close?.(localName(name))
  }
  parser.ontext = parser.oncdata = text => reader.text?.(text)
  const decoder = new TextDecoder()
  for await (const chunk of bytes) {
    parser.write(decoder.decode(chunk, { stream: true }))
    yield
  }
  parser.write(decoder.decode()).close()
  yield
}

/** Reads a whole document. */
export async function readWholeXml(bytes: AsyncIterable<Buffer>, reader: XmlReader): Promise<void> {
  for await (const _piece of readXml(bytes, reader));
}

function notASheet(): never {
  throw new SheetRefused('notASheet')
}

/** The same without its prefix, which each program chooses. */
export const localName = (name: string): string => name.slice(name.lastIndexOf(':') + 1)
