import { QuickAnswer, quickAnswerChannel, quickAnswers } from '@balcao/contract/quickAnswers.ts'
import { expect, test } from 'vitest'
import { enter } from '../../../testing/page.tsx'
import { helena, marina } from '../../../testing/people.ts'
import { keeping } from '../../../testing/rows.ts'
import { sample, samples } from '../../../testing/samples.ts'
import type { Server } from '../../../testing/server.ts'

const answering = (rows: QuickAnswer[]) => (server: Server) =>
  keeping(quickAnswers, { as: 'quickAnswers', by: 'quickAnswerId', shape: QuickAnswer, rows })(server)
const stock = () =>
  samples(QuickAnswer, [{ id: 1, shortcut: 'pix', message: 'Pagando por Pix há desconto.' }])

test('a quick answer is added, found, changed and deleted, and what a colleague does to one is seen [ROUTE-018, QUICK-001, QUICK-004, QUICK-006, ERR-006, OP-65]', async () => {
  const rows = stock()
  const page = enter('/quickAnswers', helena, { answers: answering(rows) })
  await page.press('Adicionar')
  expect(location.pathname).toBe('/quickAnswers/new')
  const dialog = page.dialog()
  await dialog.press('Salvar')
  await dialog.sees('Obrigatório')
  await dialog.fill('Atalho', 'horario')
  await dialog.fill('Mensagem', 'Abrimos das 9h às 19h.')
  await dialog.press('Salvar')
  await page.sees('Criado com sucesso')
  expect(location.pathname).toBe('/quickAnswers')
  await page.row('horario').sees('Abrimos das 9h às 19h.')

  await page.search('HORA')
  await expect.poll(() => page.words('row').length).toBe(2)
  await page.row('horario').press(/Editar/)
  await page.dialog().fill('Mensagem', 'Abrimos das 9h às 18h.')
  await page.dialog().press('Salvar')
  await page.sees('Salvo com sucesso')
  await page.row('horario').sees('18h')

  const own = rows.find(({ shortcut }) => shortcut === 'horario')!
  own.message = 'Fechado.'
  page.server.push(quickAnswerChannel, { action: 'update', quickAnswer: sample(QuickAnswer, own) })
  await page.sees('Fechado.')
  await page.row('horario').press(/Excluir/)
  const question = page.dialog()
  await question.sees('horario')
  await question.press('Excluir')
  await page.sees('Excluído com sucesso', 'Nada foi encontrado')
})

test('what is everybody’s is deleted by who has the right to; others are told whom to ask', async () => {
  const rows = [sample(QuickAnswer, { id: 1, shortcut: 'prazo', message: 'Dez dias.' })]
  const page = enter('/quickAnswers', marina, { answers: answering(rows) })
  expect(await page.row('prazo').find('button', /peça a um administrador/)).toBeDisabled()
  expect(page.row('prazo').maybe('button', /^Excluir prazo/)).toBeNull()
})
