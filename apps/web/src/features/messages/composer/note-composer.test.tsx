import { messages } from '@balcao/contract/messages.ts'
import { waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { counter, messageOn, ticketOf } from '../../../../testing/counter.ts'
import { enter } from '../../../../testing/page.tsx'
import { marina } from '../../../../testing/people.ts'
import { breakOff, refuse, type Server } from '../../../../testing/server.ts'

const WRITE = 'Escreva uma nota; @ menciona colegas e filas'
const ANSWER = 'Escreva uma mensagem'
const nora = ticketOf('Nora Lima', {}, marina)

async function noting(more: (server: Server) => Server) {
  const page = enter('/tickets/41', marina, {
    answers: server => more(counter(nora, [messageOn(nora, 1, { body: 'Qual o tamanho?' })]).answers(server)),
  })
  await page.sees('Qual o tamanho?')
  await page.press('Nota interna')
  return page
}

const kept = (server: Server) =>
  server.on(messages.send, ({ body, files }) =>
    messageOn(nora, 5, {
      ...{ id: body.id!, body: body.body ?? '', fromMe: true, version: 1, isPrivate: true, source: 'person' },
      ...(files[0] && { mediaType: 'document', mediaUrl: '/media/1' }),
    }),
  )

test('a note without a connection waits as a message does, goes back into the field of notes alone, and is kept once', async () => {
  const page = await noting(server => server.on(messages.send, () => breakOff()))
  await page.type(WRITE, 'Pediu desconto')
  await page.user.keyboard('{Enter}')
  await page.sees('Pediu desconto', 'Aguardando envio')
  expect(await page.field(WRITE)).toHaveValue('')
  await page.press('Voltar à resposta')
  await page.press('Voltar a escrever')
  // the face turns to where it came from: an answer would reach the customer
  expect(await page.field(WRITE)).toHaveValue('Pediu desconto')
  await page.press('Voltar à resposta')
  expect(await page.field(ANSWER)).toHaveValue('')
  await page.press('Nota interna')
  kept(page.server)
  await page.press('Gravar nota')
  await waitFor(() => expect(page.server.asked(messages.send).at(-1)?.body.isPrivate).toBe(true))
  await page.lacks('Aguardando envio')
  const ids = page.server.asked(messages.send).map(({ body }) => body.id)
  expect(ids.at(-1)).not.toBe(ids[0])
})

test('files of a note are checked, and kept one by one; what is refused stays with its reason', async () => {
  const page = await noting(kept)
  const file = (name: string) => new File(['%PDF-1.4'], name, { type: 'application/pdf' })
  await page.give(file('um.pdf'), new File([''], 'nada.pdf'), file('dois.pdf'))
  await page.sees('um.pdf', 'dois.pdf', /nada\.pdf/)
  await page.type(WRITE, 'Contratos')
  await page.press('Gravar nota')
  await waitFor(() => expect(page.server.asked(messages.send)).toHaveLength(2))
  const asked = page.server.asked(messages.send)
  expect(asked.map(({ body, files }) => [body.body ?? '', files.map(({ name }) => name)])).toEqual([
    ['Contratos', ['um.pdf']],
    ['', ['dois.pdf']],
  ])
  expect(await page.field(WRITE)).toHaveValue('')
})

test('a mention that is not allowed is named, and the note stays in its field', async () => {
  const details = { names: ['Caio'], userIds: [9] }
  const page = await noting(server =>
    server.on(messages.send, () => refuse(400, 'ERR_MENTION_NOT_ALLOWED', { details })),
  )
  await page.type(WRITE, '@Caio veja')
  await page.press('Gravar nota')
  await page.sees(/Não pode ler este atendimento, e por isso não foi mencionado: Caio/)
  expect(await page.field(WRITE)).toHaveValue('@Caio veja')
  await page.lacks('Aguardando envio')
})
