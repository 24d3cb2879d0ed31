import { expect, test } from 'vitest'
import type { GraphMessage } from './content.ts'
import { translateChanges } from './translate.ts'

const ANA = '5571999990000'
const names = {
  ours: (wamid: string) => wamid,
  isOurs: () => false,
  isOfCompany: () => false,
  askedAt: () => undefined,
  theirs: () => undefined,
}
const file = { id: '1', mime_type: 'image/png', sha256: 'x' }
const KINDS = [
  ...['audio', 'contacts', 'document', 'gif', 'group_invite', 'hsm', 'image', 'interactive', 'link_preview'],
  ...[
    'list',
    'location',
    'media_placeholder',
    'order',
    'poll_creation',
    'product',
    'sticker',
    'video',
    'view_once',
  ],
]
const ACTS: [type: string, what: string][] = [
  ['edit', 'changed'],
  ['pin', 'pinned'],
  ['unpin', 'unpinned'],
  ['poll_update', 'voted'],
  ['keep_in_chat', 'kept'],
  ['reaction', 'reacted'],
  ['revoke', 'withdrew'],
]

type Sample = [name: string, content: Record<string, unknown>, live: string, past: string]

/** Every type of Meta's page "messages webhook reference", every name of an unsupported one, and those without a name. */
const samples: Sample[] = [
  ['text', { text: { body: 'oi' } }, 'text', 'text'],
  ...['image', 'video', 'audio', 'document', 'sticker'].map(
    (type): Sample => [type, { [type]: file }, type, type],
  ),
  ['location', { location: { latitude: 1, longitude: 2 } }, 'location', 'location'],
  ['contacts', { contacts: [{ name: { formatted_name: 'Rui' } }] }, 'vcard', 'vcard'],
  ['button', { button: { text: 'Sim' } }, 'text', 'text'],
  ['interactive', { interactive: { button_reply: { id: '1', title: 'Sim' } } }, 'text', 'text'],
  ['interactive', { interactive: { list_reply: { id: '1', title: 'Bolo' } } }, 'text', 'text'],
  ['interactive', { interactive: { nfm_reply: { body: 'x', response_json: '{"a":"b"}' } } }, 'text', 'text'],
  ['interactive', {}, 'interactive', 'interactive'],
  ['order', { order: { product_items: [] } }, 'order', 'order'],
  ['reaction', { reaction: { message_id: 'wamid.x', emoji: '👍' } }, 'reaction', 'silence'],
  [
    'edit',
    { edit: { original_message_id: 'wamid.x', message: { type: 'text', text: { body: 'b' } } } },
    'edit',
    'silence',
  ],
  ['edit', { edit: { original_message_id: 'wamid.x' } }, 'changed', 'silence'],
  ['revoke', { revoke: { original_message_id: 'wamid.x' } }, 'delete', 'silence'],
  ['pin', {}, 'pinned', 'silence'],
  ['poll_update', {}, 'voted', 'silence'],
  ['request_welcome', {}, 'request_welcome', 'request_welcome'],
  ['of_tomorrow', { of_tomorrow: {} }, 'of_tomorrow', 'of_tomorrow'],
  ...KINDS.map((type): Sample => ['unsupported', { unsupported: { type } }, 'unsupported', 'unsupported']),
  ...ACTS.map(([type, what]): Sample => ['unsupported', { unsupported: { type } }, what, 'silence']),
  ['unsupported', {}, 'undelivered', 'unsupported'],
  ['unsupported', { unsupported: { type: 'of_tomorrow' } }, 'undelivered', 'unsupported'],
  ['unsupported', { errors: [{ code: 131060 }] }, 'unsupported', 'unsupported'],
]

const messageOf = (type: string, content: object) =>
  ({ id: 'wamid.1', from: ANA, timestamp: '1700000000', type, ...content }) as GraphMessage

test.each(samples)('%s %j leaves one trace: %s, in a history %s', (type, content, live, past) => {
  const message = messageOf(type, content)
  const now = translateChanges([{ field: 'messages', value: { messages: [message] } }], names)
  const traces = now.incoming.map(one => {
    if (one.kind !== 'message') return one.kind
    return one.mediaType === 'chat_event' ? (one.data as { what: string }).what : (one.mediaType ?? 'text')
  })
  expect([...traces, ...now.strange]).toEqual([live])
  const threads = [{ id: ANA, messages: [message] }]
  const { past: old } = translateChanges([{ field: 'history', value: { history: [{ threads }] } }], names)
  const then = old.old.map(({ mediaType }) => mediaType ?? 'text')
  expect([...then, ...Array<string>(old.silent).fill('silence'), ...old.strange]).toEqual([past])
})
