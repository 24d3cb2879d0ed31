import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { MESSAGE_FIELDS } from '../../library/message-fields.ts'
import { libraryFields } from '../../library/unread-fields.ts'
import { KINDS, kindIn } from './index.ts'
import type { Field, KindShown } from './kind.ts'
import { NEWER } from './newer.ts'
import { BESIDE, SILENCES } from './silences.ts'
import { olderOf, SILENT_NEWER, unread } from './unread.ts'

const FILE = new URL('../../../../../../../docs/channels.md', import.meta.url)
const [BEGIN, END] = [
  '<!-- made from channels/baileys/inbound/kinds: npm test -- kinds/table -u -->',
  '<!-- end -->',
]

const line = (cells: string[]) => `| ${cells.join(' | ')} |`
const code = (fields: string[]) => fields.map(field => `\`${field}\``).join(' ')
const row = ({ name, bubble, preview, words, bot }: KindShown, fields: string[]) =>
  line([
    name,
    code(fields),
    bubble,
    preview ?? 'its text, else the name of the kind',
    words ?? 'its text',
    bot ?? (words === undefined ? 'its text' : words),
  ])

/** Every field of a message, as it is treated. */
function table(): string {
  const library = [...libraryFields().values()]
  const newer = MESSAGE_FIELDS.filter(([, name]) => !library.includes(name))
  const wrapper = (name: string) =>
    MESSAGE_FIELDS.some(([, field, type]) => field === name && type === 'FutureProofMessage')
  const isUnread = ([number, name, type]: (typeof newer)[number]) =>
    !wrapper(name) && !SILENT_NEWER.has(name) && !NEWER[name] && !olderOf(number, type)
  const read = newer.flatMap(([number, name, type]) =>
    !wrapper(name) && (NEWER[name] || olderOf(number, type)) ? `${number} ${name}` : [],
  )
  const silent = Map.groupBy(Object.entries(SILENCES), ([, reason]) => reason)
  const others = library.filter(
    name => !kindIn(name as Field) && !SILENCES[name as Field] && !BESIDE.has(name) && !wrapper(name),
  )
  return [
    line([
      'kind',
      'fields',
      'in the conversation',
      'in lists and quotes',
      'search, export, webhooks',
      'a bot gets',
    ]),
    line(['---', '---', '---', '---', '---', '---']),
    ...KINDS.map(kind => row(kind, kind.fields)),
    row(unread, [...newer.filter(isUnread).map(([number, name]) => `${number} ${name}`), 'any other number']),
    '',
    `Wrappers, whose content is read: ${code([...library.filter(wrapper), ...newer.map(([, name]) => name).filter(wrapper)])}.`,
    '',
    `Newer than the library, and read by their number: ${code(read)}.`,
    '',
    `Kept under their name, without a text: ${code(others)}.`,
    '',
    line(['no row', 'why, as counted in `whatsapp_incomplete_total`']),
    line(['---', '---']),
    ...[...silent].map(([reason, fields]) => line([code(fields.map(([field]) => field)), reason])),
    line([code([...BESIDE, ...SILENT_NEWER]), 'without a content']),
  ].join('\n')
}

test('the table of kinds in docs/channels.md is made from the list', async () => {
  const text = readFileSync(FILE, 'utf8')
  const [before = '', rest = ''] = text.split(`${BEGIN}\n`)
  const [, after = ''] = rest.split(`${END}\n`)
  await expect(`${before}${BEGIN}\n${table()}\n${END}\n${after}`).toMatchFileSnapshot(FILE.pathname)
})
