import { Contact, contacts } from '@balcao/contract/contacts.ts'
import { messages } from '@balcao/contract/messages.ts'
import { tickets } from '@balcao/contract/tickets.ts'
import { waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { counter, messageOn, ticketOf, uuid } from '../../../../testing/counter.ts'
import { enter } from '../../../../testing/page.tsx'
import { marina } from '../../../../testing/people.ts'
import { samples } from '../../../../testing/samples.ts'
import { breakOff, refuse } from '../../../../testing/server.ts'

const nora = ticketOf('Nora Lima', {}, marina)
const known = samples(Contact, [{ id: 72, name: 'Olga Sá', number: '5531990000072' }])
const olga = ticketOf(
  'Olga Sá',
  { id: 50, uuid: uuid(50), contactId: 72, contact: { id: 72, name: 'Olga Sá' } },
  marina,
)

function opened() {
  const here = counter(nora, [
    messageOn(nora, 1, { body: 'Rua do Sol, 10' }),
    messageOn(nora, 2, { body: '', mediaType: 'call_log' }),
    messageOn(nora, 3, { body: 'Perto da padaria' }),
    messageOn(nora, 4, { body: '', isDeleted: true }),
  ])
  let living = false
  return enter('/tickets/41', marina, {
    answers: server =>
      here
        .answers(server)
        .on(contacts.list, { contacts: known, hasMore: false, count: 1 })
        .on(tickets.checkContactOpen, () => (living ? olga : refuse(404, 'ERR_NO_TICKET_FOUND')))
        .on(tickets.open, () => {
          living = true
          return olga
        })
        .on(messages.forward, ({ body }) => ({
          messages: body.messages.map(({ id }, at) => ({
            ...messageOn(olga, 10 + at),
            id,
            isForwarded: true,
          })),
        })),
  })
}

test('messages are selected, counted and forwarded in their order; Escape ends the selection', async () => {
  const page = opened()
  await page.sees('Perto da padaria')
  await page.user.click(page.all('button', 'Ações da mensagem').at(-1)!)
  await page.press('Selecionar mensagens')
  await page.sees('1 selecionada')
  await page.user.keyboard('{Escape}')
  await page.lacks('1 selecionada')
  await page.field('Escreva uma mensagem')

  await page.user.click(page.all('button', 'Ações da mensagem').at(-1)!)
  await page.press('Selecionar mensagens')
  // calls and what was deleted cannot be forwarded
  expect(page.all('checkbox').filter(box => !(box as HTMLInputElement).disabled)).toHaveLength(2)
  await page.press('Selecionar: Rua do Sol, 10')
  await page.sees('2 selecionadas')
  await page.part('region', 'Selecionar mensagens').press('Encaminhar')
  const dialog = page.dialog('Encaminhar 2 mensagens')
  await dialog.pick('Contato', 'Olga', /^Olga/)
  await dialog.sees('Um novo atendimento será aberto para este contato.')
  await dialog.choose('Fila', 'Suporte')
  await dialog.press('Encaminhar')
  await page.sees('2 mensagens encaminhadas para Olga Sá')
  const [asked] = page.server.asked(messages.forward)
  expect(asked).toMatchObject({ params: { ticketId: 50 }, body: { from: 41 } })
  expect(asked!.body.messages.map(({ messageId }) => messageId)).toEqual([uuid(1), uuid(3)])
  expect(page.server.asked(tickets.open)[0]!.body).toMatchObject({ contactId: 72, queueId: 1 })
  await page.lacks('2 selecionadas')
})

test('what was refused is asked for again under the same ids, in the ticket that was opened meanwhile', async () => {
  const page = opened()
  page.server.on(messages.forward, () => refuse(409, 'ERR_WAPP_WINDOW_CLOSED'))
  await page.sees('Perto da padaria')
  await page.user.click(page.all('button', 'Ações da mensagem')[0]!)
  await page.press('Encaminhar')
  const dialog = page.dialog('Encaminhar mensagem')
  await dialog.pick('Contato', 'Olga', /^Olga/)
  await dialog.sees('Um novo atendimento será aberto para este contato.')
  await dialog.choose('Fila', 'Suporte')
  await dialog.press('Encaminhar')
  await dialog.sees('Vai para o atendimento aberto 202611200041.')
  await dialog.press('Encaminhar')
  await waitFor(() => expect(page.server.asked(messages.forward)).toHaveLength(2))
  const ids = page.server.asked(messages.forward).map(({ body }) => body.messages[0]!.id)
  expect(ids[0]).toBe(ids[1])
  expect(page.server.asked(tickets.open)).toHaveLength(1)
})

test('who chooses somebody else after a lost answer sends other copies: the first may have them', async () => {
  const page = opened()
  page.server.on(messages.forward, () => breakOff())
  await page.sees('Perto da padaria')
  await page.user.click(page.all('button', 'Ações da mensagem')[0]!)
  await page.press('Encaminhar')
  const dialog = page.dialog('Encaminhar mensagem')
  await dialog.pick('Contato', 'Olga', /^Olga/)
  await dialog.choose('Fila', 'Suporte')
  await dialog.press('Encaminhar')
  await dialog.sees('Vai para o atendimento aberto 202611200041.')
  page.server.on(tickets.checkContactOpen, { ...olga, id: 51, uuid: uuid(51) })
  await dialog.pick('Contato', 'Olga S', /^Olga/)
  await dialog.press('Encaminhar')
  await waitFor(() => expect(page.server.asked(messages.forward)).toHaveLength(2))
  const [first, second] = page.server.asked(messages.forward)
  expect([first!.params.ticketId, second!.params.ticketId]).toEqual([50, 51])
  expect(second!.body.messages[0]!.id).not.toBe(first!.body.messages[0]!.id)
})
