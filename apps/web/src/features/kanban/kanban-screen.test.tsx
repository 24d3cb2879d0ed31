import { kanban } from '@balcao/contract/kanban.ts'
import { TagChoice } from '@balcao/contract/tags.ts'
import { waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { ticketOf } from '../../../testing/counter.ts'
import { enter, type OpenPage } from '../../../testing/page.tsx'
import { marina } from '../../../testing/people.ts'
import { samples } from '../../../testing/samples.ts'
import { refuse, type Server } from '../../../testing/server.ts'

const tags = samples(TagChoice, [
  { id: 5, name: 'Proposta', color: '#1273de', kanban: 1 },
  { id: 6, name: 'Fechado', color: '#008b02', kanban: 1 },
])
const card = ticketOf('Katia Reis', {}, marina)
const answering = (server: Server) =>
  server.on(kanban.lanes, { lista: tags }).on(kanban.tickets, { tickets: [card], hasMore: false, count: 1 })

const move = async (page: OpenPage, to: string) => {
  await page.press('Mover Katia Reis para…')
  await page.dialog(/^Mover/).press(to)
}
const seesIn = (page: OpenPage, lane: string) =>
  waitFor(() => expect(page.part('region', lane).maybe('article', 'Katia Reis')).not.toBeNull())

test('a move that is refused puts the card back and says why [KANBAN-010]', async () => {
  const gate = Promise.withResolvers<void>()
  const page = enter('/kanban', marina, {
    answers: server =>
      answering(server).on(kanban.move, async () => {
        await gate.promise
        return refuse(404, 'ERR_NO_TAG_FOUND')
      }),
  })
  await move(page, 'Proposta')
  await seesIn(page, 'Proposta')
  gate.resolve()
  await page.sees(/etiqueta/i)
  await seesIn(page, 'Em aberto')
})

test('of two quick moves of a card the later one stays, though the first is answered late', async () => {
  const late = Promise.withResolvers<void>()
  let current = card
  const page = enter('/kanban', marina, {
    answers: server =>
      answering(server).on(kanban.move, async ({ body }) => {
        if (body.tagId === 5) await late.promise
        const lane = tags.filter(({ id }) => id === body.tagId)
        current = { ...current, version: current.version + 1, tags: lane }
        return { tickets: [current] }
      }),
  })
  for (const to of ['Proposta', 'Fechado']) {
    await move(page, to)
    await seesIn(page, to)
  }
  late.resolve()
  await page.sees('Alteração realizada com Sucesso!')
  await expect.poll(() => page.server.asked(kanban.move).map(({ body }) => body.tagId)).toEqual([5, 6])
  await seesIn(page, 'Fechado')
})
