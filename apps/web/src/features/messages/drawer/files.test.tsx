import { Contact, contacts } from '@balcao/contract/contacts.ts'
import { messages } from '@balcao/contract/messages.ts'
import { schedules } from '@balcao/contract/schedules.ts'
import { test } from 'vitest'
import { counter, messageOn, ticketOf } from '../../../../testing/counter.ts'
import { enter } from '../../../../testing/page.tsx'
import { marina } from '../../../../testing/people.ts'
import { sample } from '../../../../testing/samples.ts'

const nora = ticketOf('Nora Lima', {}, marina)

test('among the files of a conversation those of notes are marked', async () => {
  const fileOf = (place: number, name: string, isPrivate: boolean) =>
    messageOn(nora, place, {
      ...{ body: '', fromMe: true, isPrivate, mediaType: 'document', mediaUrl: `/media/${place}` },
      media: { state: 'ready', name, type: 'application/pdf', size: 2_000 },
    })
  const page = enter('/tickets/41', marina, {
    answers: server =>
      counter(nora)
        .answers(server)
        .on(contacts.show, sample(Contact, { id: 71, name: 'Nora Lima' }))
        .on(schedules.list, { schedules: [], hasMore: false })
        .on(messages.files, {
          messages: [fileOf(2, 'contrato.pdf', true), fileOf(3, 'recibo.pdf', false)],
          hasMore: false,
        }),
  })
  await page.press('Dados do contato')
  await page.find('button', /^contrato\.pdf[\s\S]*Nota interna/)
  await page.find('button', /^recibo\.pdf(?![\s\S]*Nota interna)/)
})
