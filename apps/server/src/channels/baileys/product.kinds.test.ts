import type { Content } from '@balcao/whatsapp-server/contents.ts'
import type { Received } from '@balcao/whatsapp-server/phone-inbox.ts'
import { openShop } from '../../../testing/baileys.ts'
import { SHOP } from '../../../testing/whatsapp.ts'
import { kindsSuite, type Saying, type Shown } from '../kinds.suite.ts'

kindsSuite('Baileys', async () => {
  const { app, whatsappId, phoneOf, close } = await openShop()
  const change = (all: Received[], id: string, kind: string) =>
    all.findLast(one => one.kind === kind && one.about === id)
  return {
    app,
    whatsappId,
    async say(number, saying) {
      const phone = await phoneOf(number)
      if (saying.unknown) return phone.send(SHOP, { [`${saying.unknown}`]: {} })
      const { quotes, isForwarded } = saying
      return phone.write(SHOP, contentOf(saying), {
        ...(quotes && { quote: quotes }),
        ...(isForwarded && { forwarded: 1 }),
      })
    },
    async shows(number) {
      const all = (await phoneOf(number)).received()
      return all
        .filter(one => !['reaction', 'edit', 'deletion'].includes(one.kind))
        .map(one => ({
          ...shownOf(one),
          ...(change(all, one.id, 'edit') && {
            body: change(all, one.id, 'edit')!.text ?? '',
            isEdited: true,
          }),
          isDeleted: change(all, one.id, 'deletion') !== undefined,
        }))
    },
    reactionOn: async (number, id) => change((await phoneOf(number)).received(), id, 'reaction')?.text ?? '',
    react: async (number, id, emoji) => void (await (await phoneOf(number)).react(SHOP, id, emoji)),
    edit: async (number, id, body) => void (await (await phoneOf(number)).edit(SHOP, id, body)),
    erase: async (number, id) => void (await (await phoneOf(number)).revoke(SHOP, id)),
    vote: async (number, id, choices) => void (await (await phoneOf(number)).answers.vote(SHOP, id, choices)),
    types: async (number, state) => (await phoneOf(number)).type(SHOP, state),
    typing: async number => ((await phoneOf(number)).typing().get(SHOP) ?? 'paused') as 'paused',
    close,
  }
})

function contentOf({ body = '', file, place, card }: Saying): Content {
  if (place) return { location: place }
  if (card) return { contacts: [{ name: card.name, numbers: [card.number] }] }
  if (!file) return body
  const bytes = Buffer.from(file.bytes)
  if (file.isVoice) return { voice: bytes }
  const more = { mimetype: file.type, fileName: file.name, ...(body && { caption: body }) }
  return files[file.as](bytes, more)
}

type More = { mimetype: string; fileName: string; caption?: string }
const files: Record<NonNullable<Saying['file']>['as'], (bytes: Buffer, more: More) => Content> = {
  image: (image, more) => ({ image, ...more }),
  video: (video, more) => ({ video, ...more }),
  audio: (audio, more) => ({ audio, ...more }),
  document: (document, more) => ({ document, ...more }),
  sticker: (sticker, more) => ({ sticker, ...more }),
}

const kinds: Record<string, Shown['kind']> = { contact: 'contacts', voice: 'audio' }

function shownOf({ id, kind, text, file, location, contacts, quotes, forwarded }: Received): Shown {
  const card = contacts?.[0]
  return {
    id,
    body: text ?? '',
    kind: kinds[kind] ?? (kind as Shown['kind']),
    ...(file?.bytes && { bytes: file.bytes }),
    ...(location && { place: { name: '', ...location } }),
    ...(card && { card: { name: card.name, number: card.numbers[0] ?? '' } }),
    ...(quotes && { quotedId: quotes }),
    ...(forwarded && { isForwarded: true }),
    isDeleted: false,
    isEdited: false,
  }
}
