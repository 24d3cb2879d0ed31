import { Queue, queueChannel, queues } from '@balcao/contract/queues.ts'
import { expect, test } from 'vitest'
import { enter } from '../../../testing/page.tsx'
import { helena, queuesOf } from '../../../testing/people.ts'
import { keeping } from '../../../testing/rows.ts'
import { sample, samples } from '../../../testing/samples.ts'
import { refuse } from '../../../testing/server.ts'

test('a queue is added at its own address with a colour that no other has, seen as a colleague changes it, and deleted (QUEUE-001 … QUEUE-008) [GEN-003, GEN-010, ROUTE-025, LIVE-016, QUEUE-001, QUEUE-003, QUEUE-005, QUEUE-006, QUEUE-007, QUEUE-008, OP-75]', async () => {
  const rows = samples(Queue, queuesOf)
  const page = enter('/queues/new', helena, {
    answers: server =>
      keeping(queues, { as: 'queues', by: 'queueId', shape: Queue, rows })(server)
        .on(queues.list, () => rows)
        .on(queues.create, ({ body }) => {
          if (rows.some(({ color }) => color.toLowerCase() === body.color.toLowerCase()))
            refuse(409, 'ERR_QUEUE_COLOR_ALREADY_EXISTS', { field: 'color' })
          const { greetingMessage, outOfHoursMessage } = body
          const texts = {
            greetingMessage: greetingMessage ?? '',
            outOfHoursMessage: outOfHoursMessage ?? '',
          }
          const made = sample(Queue, { ...body, ...texts, id: 9 })
          rows.push(made)
          return made
        }),
  })
  const dialog = page.dialog()
  await dialog.fill('Nome', 'Trocas')
  await dialog.fill('Cor', '#1273DE')
  await dialog.fill('Mensagem de saudação', 'Protocolo {{protocolo}}, {{nada}}')
  await dialog.sees(/Protocolo \d{12}, \{\{nada\}\}/)
  await dialog.press('Salvar')
  await dialog.sees('Esta cor já está em uso em outra fila')
  await dialog.fill('Cor', 'azul')
  await dialog.press('Salvar')
  await expect.poll(async () => (await dialog.field('Cor')).getAttribute('aria-invalid')).toBe('true')
  await dialog.fill('Cor', '#8a2be2')
  await dialog.press('Salvar')
  await page.sees('Criado com sucesso')
  expect(location.pathname).toBe('/queues')
  await page.row('Trocas').sees('Protocolo {{protocolo}}')

  const [first] = rows
  Object.assign(first!, { greetingMessage: 'Você está no suporte' })
  page.server.push(queueChannel, { action: 'update', queue: first! })
  await page.sees('Você está no suporte')
  await page.row('Trocas').press(/Excluir/)
  const question = page.dialog()
  await question.sees('ficam sem fila')
  await question.press('Excluir')
  await expect.poll(() => page.words('row').filter(row => row.includes('Trocas'))).toEqual([])
})

test('a queue that bots use is deleted only after they were named', async () => {
  const rows = samples(Queue, queuesOf)
  const page = enter('/queues', helena, {
    answers: server =>
      server
        .on(queues.list, () => rows)
        .on(queues.remove, ({ query }) => {
          if (!query.evenIfUsed) refuse(409, 'ERR_USED_BY_BOTS', { details: { bots: ['Lua', 'Sol'] } })
          return {}
        }),
  })
  await page.press(`Excluir ${rows[0]!.name}`)
  await page.dialog().press('Excluir')
  await page.dialog().sees('Usado por estes bots: Lua, Sol.')
  await page.dialog().press('Excluir mesmo assim')
  await page.sees('Excluído com sucesso')
  expect(page.server.asked(queues.remove).map(({ query }) => query.evenIfUsed)).toEqual([false, true])
})
