import { PauseReason, pauseReasonChannel, pauseReasons } from '@balcao/contract/pauseReasons.ts'
import { expect, test } from 'vitest'
import { enter } from '../../../testing/page.tsx'
import { helena, marina } from '../../../testing/people.ts'
import { keeping } from '../../../testing/rows.ts'
import { sample, samples } from '../../../testing/samples.ts'
import type { Server } from '../../../testing/server.ts'

const answering = (rows: PauseReason[]) => (server: Server) =>
  keeping(pauseReasons, { as: 'pauseReasons', by: 'pauseReasonId', shape: PauseReason, rows })(server)
const stock = () => samples(PauseReason, [{ id: 1, name: 'pix' }])

test('a pause reason is added, found, changed and deleted, and what a colleague does to one is seen', async () => {
  const rows = stock()
  const page = enter('/pauseReasons', helena, { answers: answering(rows) })
  await page.press('Adicionar')
  expect(location.pathname).toBe('/pauseReasons/new')
  const dialog = page.dialog()
  await dialog.press('Salvar')
  await dialog.sees('Obrigatório')
  await dialog.fill('Nome', 'horario')
  await dialog.press('Salvar')
  await page.sees('Criado com sucesso')
  expect(location.pathname).toBe('/pauseReasons')
  await page.row('horario').sees('horario')

  await page.search('HORA')
  await expect.poll(() => page.words('row').length).toBe(2)
  await page.row('horario').press(/Editar/)
  await page.dialog().fill('Nome', 'horario Abrimos das 9h às 18h.')
  await page.dialog().press('Salvar')
  await page.sees('Salvo com sucesso')
  await page.row('horario').sees('18h')

  const own = rows.find(({ name }) => name.startsWith('horario'))!
  own.name = 'horario Fechado.'
  page.server.push(pauseReasonChannel, { action: 'update', pauseReason: sample(PauseReason, own) })
  await page.sees('Fechado.')
  await page.row('horario').press(/Excluir/)
  const question = page.dialog()
  await question.sees('horario')
  await question.press('Excluir')
  await page.sees('Excluído com sucesso', 'Nada foi encontrado')
})

test('without the right team rows are seen, and neither added nor changed', async () => {
  const rows = [sample(PauseReason, { id: 1, name: 'prazo' })]
  const page = enter('/pauseReasons/new', marina, { answers: answering(rows) })
  await page.row('prazo').sees('prazo')
  expect([page.maybe('dialog'), page.maybe('button', 'Adicionar motivo de pausa')]).toEqual([null, null])
  expect(page.row('prazo').maybe('button', /Editar|Excluir/)).toBeNull()
})
