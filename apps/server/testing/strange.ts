import { proto, type WAMessage } from 'baileys'
import { draws } from './whatsapp.ts'

/** Texts that a column, an index, JSON or a screen may not take. */
const TEXTS = [
  '',
  'a\0b',
  '\ud800',
  'x\udfff😀',
  '\u202Egpj.exe',
  'constructor',
  '__proto__',
  '5511@s.whatsapp.net',
  '\0@lid',
  '-1',
  '1e999',
  '{"a":{"a":{"a":1}}}',
  'BEGIN:VCARD\nFN:\0\nTEL;waid=123:\nEND:VCARD',
]
const LONG = ['A'.repeat(70_000), '漢字'.repeat(4_000), `${'['.repeat(3_000)}${']'.repeat(3_000)}`]
const NUMBERS = [
  0,
  -1,
  1e300,
  -1e300,
  Number.NaN,
  Number.POSITIVE_INFINITY,
  0.1,
  2 ** 31,
  2 ** 53,
  4_294_967_295,
]

/** A way to draw messages and deliveries that no network would send, the same for the same seed. */
export function strangeOnes(seed: number) {
  const random = draws(seed)
  const below = (most: number) => Math.floor(random() * most)
  const oneOf = <T>(list: readonly T[]): T => list[below(list.length)]!
  const letters = (length: number) =>
    Array.from({ length }, () => String.fromCharCode(33 + below(94))).join('')
  const text = () => {
    const kind = random()
    if (kind < 0.03) return oneOf(LONG)
    return kind < 0.3 ? letters(kind < 0.06 ? 8_000 : oneOf([1, 20, 254, 256])) : oneOf(TEXTS)
  }
  const bytes = () => Uint8Array.from({ length: oneOf([0, 1, 12, 32, 200]) }, () => below(256))

  /** The same object with some of its values replaced by others of their type, or of another. */
  function mutated<T>(given: T, share: number): T {
    if (random() < share / 8) return oneOf<unknown>([null, undefined, [], {}, text(), oneOf(NUMBERS)]) as T
    if (typeof given === 'string') return (random() < share ? text() : given) as T
    if (typeof given === 'number') return (random() < share ? oneOf(NUMBERS) : given) as T
    if (given instanceof Uint8Array) return (random() < share ? bytes() : given) as T
    if (Array.isArray(given))
      return Array.from({ length: random() < share / 8 ? 30 : given.length }, (_, at) =>
        mutated(given[at % Math.max(1, given.length)], share),
      ) as T
    if (typeof given !== 'object' || given === null) return given
    return Object.fromEntries(
      Object.entries(given).map(([name, value]) => [name, mutated(value, share)]),
    ) as T
  }

  /** Its encoding with a few bytes changed, read again; null where that is no message. */
  function corrupted(message: proto.IMessage): proto.IMessage | null {
    const whole = Uint8Array.from(proto.Message.encode(message).finish())
    for (let times = below(6); times > 0; times--) whole[below(whole.length)] = below(256)
    const part = random() < 0.2 ? whole.subarray(0, below(whole.length)) : whole
    return proto.Message.decode(part)
  }

  /** A message as it may be encoded: null where the mutation is none. */
  function message(): proto.IMessage | null {
    try {
      const made = mutated(oneOf(MESSAGES), oneOf([0, 0.1, 0.4]))
      const wrapped = random() < 0.2 ? { [oneOf(WRAPPERS)]: { message: made } } : made
      return random() < 0.3
        ? corrupted(wrapped)
        : proto.Message.decode(proto.Message.encode(wrapped).finish())
    } catch {
      return null
    }
  }

  return {
    random,
    oneOf,
    text,
    message,
    /** What Baileys reports of it, with a strange frame around it. */
    reported(): WAMessage {
      const frame = { id: `X${below(1e9)}`, remoteJid: '123456789012345@lid', participant: '', fromMe: false }
      const key = mutated(random() < 0.3 ? GROUP_FRAME : frame, oneOf([0, 0.1]))
      const when = random() < 0.8 ? 1_760_000_000 : oneOf(NUMBERS)
      return { key: key ?? {}, message: message(), pushName: text(), messageTimestamp: when }
    },
    /** What Meta posts, with strange values in it. */
    delivery: () => mutated(DELIVERY(`wamid.${below(1e9)}`, oneOf(GRAPH_PARTS)), oneOf([0, 0.05, 0.2])),
    /** The attributes of a receipt: texts, as all of a stanza. */
    receipt: (): Record<string, string> => {
      const attrs = { id: 'X', from: '123@lid', type: oneOf(['read', 'played', '']), t: '1760000000' }
      return Object.fromEntries(
        Object.entries(attrs).map(([name, value]) => [name, random() < 0.2 ? text() : value]),
      )
    },
  }
}

const GROUP_FRAME = { id: 'G1', remoteJid: '123-456@g.us', participant: '99@lid', fromMe: false }
const WRAPPERS = [
  'ephemeralMessage',
  'viewOnceMessage',
  'documentWithCaptionMessage',
  'editedMessage',
] as const

const id = 'TARGET'
const file = {
  mediaKey: new Uint8Array(32),
  url: 'https://mmg.whatsapp.net/x',
  directPath: '/x',
  fileLength: 10,
}
const contextInfo = {
  stanzaId: id,
  participant: '55@lid',
  quotedMessage: { conversation: 'antes' },
  mentionedJid: ['77@lid'],
  externalAdReply: { title: 'Anúncio', sourceUrl: 'https://a.test', sourceId: '1', ctwaClid: 'x' },
}
const box = { encPayload: new Uint8Array(40), encIv: new Uint8Array(12) }
const MESSAGES: proto.IMessage[] = [
  { conversation: 'Oi' },
  { extendedTextMessage: { text: 'Oi @77', matchedText: 'https://a.test', title: 'A', contextInfo } },
  { imageMessage: { ...file, caption: 'foto', width: 3, height: 4, contextInfo } },
  { videoMessage: { ...file, seconds: 3 } },
  { audioMessage: { ...file, seconds: 3, ptt: true } },
  { documentMessage: { ...file, fileName: 'nota.pdf', mimetype: 'application/pdf', caption: 'x' } },
  { stickerMessage: { ...file, isLottie: true, pngThumbnail: new Uint8Array([0x89, 1]) } },
  { locationMessage: { degreesLatitude: 1, degreesLongitude: 2, name: 'Casa', address: 'Rua' } },
  { liveLocationMessage: { degreesLatitude: 1, degreesLongitude: 2, sequenceNumber: 3, caption: 'x' } },
  {
    contactMessage: {
      displayName: 'Eva',
      vcard: 'BEGIN:VCARD\nFN:Eva\nTEL;waid=5511999999999:+55\nEND:VCARD',
    },
  },
  { contactsArrayMessage: { contacts: [{ displayName: 'Eva', vcard: 'TEL:123' }] } },
  { reactionMessage: { key: { id, fromMe: true, participant: '9@lid' }, text: '👍' } },
  { protocolMessage: { type: 0, key: { id, participant: '9@lid' } } },
  { protocolMessage: { type: 14, key: { id }, editedMessage: { conversation: 'outro' } } },
  {
    pollCreationMessage: {
      name: 'Qual?',
      options: [{ optionName: 'A' }, { optionName: 'B' }],
      selectableOptionsCount: 1,
    },
  },
  { pollUpdateMessage: { pollCreationMessageKey: { id }, vote: box, senderTimestampMs: 5 } },
  { encEventResponseMessage: { eventCreationMessageKey: { id }, ...box } },
  { secretEncryptedMessage: { targetMessageKey: { id }, secretEncType: 2, ...box } },
  { eventMessage: { name: 'Festa', description: 'x', startTime: 1_760_000_000, location: { name: 'Rua' } } },
  { orderMessage: { orderId: '1', token: 't', itemCount: 2, message: 'pedido', totalAmount1000: 5 } },
  { listResponseMessage: { title: 'A', singleSelectReply: { selectedRowId: 'r' } } },
  { buttonsResponseMessage: { selectedButtonId: 'b', selectedDisplayText: 'B' } },
  {
    interactiveResponseMessage: {
      body: { text: 'x' },
      nativeFlowResponseMessage: { name: 'f', paramsJson: '{"id":"1","a":{"b":2}}' },
    },
  },
  {
    interactiveMessage: {
      body: { text: 'x' },
      nativeFlowMessage: { buttons: [{ name: 'b', buttonParamsJson: '{"display_text":"B"}' }] },
    },
  },
  {
    templateMessage: {
      hydratedTemplate: {
        hydratedContentText: 'x',
        hydratedButtons: [{ quickReplyButton: { displayText: 'B', id } }],
      },
    },
  },
  { pinInChatMessage: { key: { id }, type: 1 } },
  { groupInviteMessage: { groupName: 'G', caption: 'x', inviteCode: 'c' } },
  { productMessage: { product: { title: 'P' }, body: 'x' } },
  {
    imageMessage: { ...file },
    messageContextInfo: { messageAssociation: { associationType: 1, parentMessageKey: { id } } },
  },
  { albumMessage: { expectedImageCount: 2 } },
]

const from = '5511977770000'
const GRAPH_PARTS: Record<string, unknown>[] = [
  { type: 'text', text: { body: 'Oi' } },
  { type: 'image', image: { id: '1', mime_type: 'image/png', sha256: 'x', caption: 'foto' } },
  { type: 'document', document: { id: '1', filename: 'nota.pdf' } },
  { type: 'location', location: { latitude: 1, longitude: 2, name: 'Casa', address: 'Rua' } },
  { type: 'contacts', contacts: [{ name: { formatted_name: 'Eva' }, phones: [{ phone: '1', wa_id: '1' }] }] },
  { type: 'reaction', reaction: { message_id: 'wamid.T', emoji: '👍' } },
  {
    type: 'edit',
    edit: { original_message_id: 'wamid.T', message: { id: 'x', type: 'text', text: { body: 'o' } } },
  },
  { type: 'revoke', revoke: { original_message_id: 'wamid.T' } },
  { type: 'interactive', interactive: { nfm_reply: { body: 'x', response_json: '{"a":{"b":[1]}}' } } },
  { type: 'interactive', interactive: { list_reply: { id: 'l', title: 'L' } } },
  {
    type: 'order',
    order: {
      text: 'x',
      product_items: [{ product_retailer_id: 'p', quantity: 1, item_price: 2, currency: 'BRL' }],
    },
  },
  { type: 'system', system: { type: 'user_changed_number', wa_id: '5511977770001' } },
  { type: 'unsupported', errors: [{ code: 131051, title: 'x' }] },
]
const DELIVERY = (wamid: string, part: Record<string, unknown>) => ({
  field: 'messages',
  value: {
    contacts: [{ wa_id: from, user_id: 'BR.1', profile: { name: 'Eva', username: 'Eva' } }],
    messages: [{ id: wamid, from, timestamp: '1760000000', context: { id: 'wamid.Q' }, ...part }],
    statuses: [
      {
        id: wamid,
        status: 'delivered',
        timestamp: '1760000000',
        recipient_id: from,
        biz_opaque_callback_data: 'OURS',
      },
    ],
    user_preferences: [{ wa_id: from, category: 'marketing', value: 'stop', timestamp: 1 }],
    user_id_update: [{ wa_id: from, user_id: { previous: 'BR.1', current: 'BR.2' }, timestamp: '1' }],
  },
})
