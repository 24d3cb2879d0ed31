import { PollData } from '@balcao/contract/kinds.ts'
import { simulator } from '@balcao/contract/simulator.ts'
import { openTestApp } from '../../../testing/test-app.ts'
import { kindsSuite, type Shown } from '../kinds.suite.ts'

kindsSuite('simulator', async () => {
  const app = await openTestApp()
  const admin = await app.as('admin@balcao.test')
  const params = { whatsappId: admin.user.whatsappId! }
  const chat = (number: string) => admin.get(simulator.chat, { params: { ...params, number } })
  const kinds: Record<string, Shown['kind']> = { vcard: 'contacts' }
  const at = (messageId: string) => ({ ...params, messageId })
  return {
    app,
    ...params,
    async say(number, { body = '', file, place, card, unknown, quotes, isForwarded = false }) {
      const message = {
        number,
        body,
        ...(file?.as === 'sticker' && { isSticker: true }),
        ...(file?.isVoice && { isVoice: true }),
        ...(place && { location: place }),
        ...(card && { contacts: [card] }),
        ...(unknown && { mediaType: unknown }),
        ...(quotes && { quotedId: quotes }),
        isForwarded,
      }
      const { id } = await admin.get(simulator.write, {
        params,
        body: message,
        ...(file && { files: [file] }),
      })
      return id
    },
    async shows(number) {
      const ours = (await chat(number)).filter(message => message.fromMe)
      return Promise.all(
        ours.map(async message => {
          const { id, body, mediaType, mediaUrl, dataJson, quotedId, isDeleted, isEdited } = message
          const data = dataJson ? JSON.parse(dataJson) : null
          const [card] = data?.contacts ?? []
          return {
            id,
            body,
            kind: mediaType ? (kinds[mediaType] ?? (mediaType as Shown['kind'])) : 'text',
            ...(mediaUrl && { bytes: Buffer.from(await (await admin.fetch(mediaUrl)).arrayBuffer()) }),
            ...(mediaType === 'location' && { place: data }),
            ...(card && { card: { name: card.name, number: card.phones[0].number } }),
            ...(quotedId && { quotedId }),
            ...(message.isForwarded && { isForwarded: true }),
            isDeleted,
            isEdited,
          }
        }),
      )
    },
    async reactionOn(number, id) {
      const message = (await chat(number)).find(one => one.id === id)
      return message?.reactions.find(one => one.fromMe)?.emoji ?? ''
    },
    react: async (number, id, emoji) =>
      void (await admin.get(simulator.react, { params: at(id), body: { number, emoji } })),
    edit: async (number, id, body) =>
      void (await admin.get(simulator.edit, { params: at(id), body: { number, body } })),
    erase: async (number, id) =>
      void (await admin.get(simulator.remove, { params: at(id), query: { number } })),
    async vote(number, id, labels) {
      const { dataJson } = (await chat(number)).find(one => one.id === id)!
      const { choices } = PollData.parse(JSON.parse(dataJson!))
      const body = { number, choices: labels.map(label => choices.indexOf(label)) }
      await admin.get(simulator.vote, { params: at(id), body })
    },
    types: async (number, state) =>
      void (await admin.get(simulator.type, { params, body: { number, state } })),
    async typing(number) {
      const chats = await admin.get(simulator.chats, { params })
      return chats.find(one => one.number === number)?.typing ?? 'paused'
    },
    close: () => app.close(),
  }
})
