import { QuickAnswer, quickAnswers } from '@balcao/contract/quickAnswers.ts'
import { expect, test } from 'vitest'
import { enter } from '../../../testing/page.tsx'
import { marina } from '../../../testing/people.ts'
import { keeping } from '../../../testing/rows.ts'
import { samples } from '../../../testing/samples.ts'
import { refuse } from '../../../testing/server.ts'

const at = (path: string, rows: QuickAnswer[], user = marina) =>
  enter(path, user, {
    answers: keeping(quickAnswers, { as: 'quickAnswers', by: 'quickAnswerId', shape: QuickAnswer, rows }),
  })
const stock = () =>
  samples(QuickAnswer, [
    { id: 1, shortcut: 'pix', message: 'Pagando por Pix há desconto.' },
    { id: 2, shortcut: 'abraço', message: 'Um abraço da Marina!', userId: marina.id },
    { id: 3, shortcut: 'garantia', message: 'A garantia é de um ano.', queueId: 1 },
  ])

test('a quick answer is for the company, for a queue of one’s own, or for oneself; the list says for whom', async () => {
  const inSupport = { ...marina, queues: marina.queues.slice(0, 1) }
  const page = at('/quickAnswers/new', stock(), inSupport)
  const dialog = page.dialog()
  await dialog.fill('Atalho', 'prazo')
  await dialog.fill('Mensagem', 'Entregamos em dez dias.')
  const choice = await dialog.field('Para quem')
  const offered = [...choice.querySelectorAll('option')].map(option => option.textContent)
  expect(offered).toEqual(['Toda a empresa', 'Só eu', 'Fila Suporte'])
  await page.user.selectOptions(choice, 'Fila Suporte')
  await dialog.press('Salvar')
  await page.row('prazo').sees('Suporte')
  await page.row('pix').sees('Toda a empresa')
  await page.row('abraço').sees('Só eu')
  expect(page.server.asked(quickAnswers.create)[0]?.body).toMatchObject({ queueId: 1, userId: null })
})

test('one’s own is deleted and moved by anyone, what others share by who has the right', async () => {
  const page = at('/quickAnswers', stock())
  await page.row('abraço').find('button', 'Excluir abraço')
  expect(await page.row('garantia').find('button', /peça a um administrador/)).toBeDisabled()
  await page.row('garantia').press(/Editar/)
  expect(await page.dialog().field('Para quem')).toBeDisabled()
  await page.dialog().press('Cancelar')
  await page.row('abraço').press(/Editar/)
  expect(await page.dialog().field('Para quem')).toBeEnabled()
})

test('a shortcut with a space, or of another answer, is refused at its field, with that answer', async () => {
  const page = at('/quickAnswers/new', stock())
  page.server.on(quickAnswers.create, () =>
    refuse(409, 'ERR_NAME_EXISTS', {
      field: 'shortcut',
      details: { quickAnswerId: 1, shortcut: 'pix', message: 'Pagando por Pix há desconto.' },
    }),
  )
  const dialog = page.dialog()
  await dialog.fill('Mensagem', 'Nossa chave Pix é o CNPJ.')
  await dialog.fill('Atalho', 'meu pix')
  await dialog.press('Salvar')
  await dialog.sees('Sem espaços')
  await dialog.fill('Atalho', 'PIX')
  await dialog.press('Salvar')
  await dialog.sees('Este atalho já é de: Pagando por Pix há desconto.')
})
