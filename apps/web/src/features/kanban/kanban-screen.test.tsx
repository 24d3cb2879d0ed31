import { kanban } from '@balcao/contract/kanban.ts'
import { Tag, TagChoice, tagChannel } from '@balcao/contract/tags.ts'
import { waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { ticketOf } from '../../../testing/counter.ts'
import { enter, type OpenPage } from '../../../testing/page.tsx'
import { marina } from '../../../testing/people.ts'
import { sample, samples } from '../../../testing/samples.ts'
import { refuse, type Server } from '../../../testing/server.ts'

const tags = samples(TagChoice, [
  { id: 5, name: 'Proposta', color: '#1273de', kanban: 1, position: 1 },
  { id: 6, name: 'Fechado', color: '#008b02', kanban: 1, position: 2 },
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

test('lanes are fetched again when one of them changes, not with the counts of each move', async () => {
  let lista = tags
  const page = enter('/kanban', marina, {
    answers: server => answering(server).on(kanban.lanes, () => ({ lista })),
  })
  await page.find('region', /^Fechado/)
  const asked = () => page.server.asked(kanban.lanes).length
  // once more when the line of pushes opens
  await expect.poll(asked).toBe(2)
  const push = (tag: Partial<Tag>) =>
    page.server.push(tagChannel, { action: 'update', tag: sample(Tag, { ...tags[0]!, ...tag }) })
  push({ ticketsCount: 9 })
  // a refetch comes within a second
  await expect.poll(asked, { timeout: 1_500, interval: 1_400 }).toBe(2)
  lista = tags.map(tag => (tag.id === 5 ? { ...tag, name: 'Orçamento' } : tag))
  push({ ticketsCount: 9, name: 'Orçamento' })
  await page.find('region', /^Orçamento/)
  expect(asked()).toBe(3)
})

test('lanes change places by a key, at once; a refusal puts them back [KANBAN-001]', async () => {
  let isRefused = false
  const page = enter('/kanban', marina, {
    answers: server =>
      answering(server).on(kanban.order, ({ body }) =>
        isRefused
          ? refuse(404, 'ERR_NO_TAG_FOUND')
          : { lista: body.tagIds.map(id => tags.find(tag => tag.id === id)!) },
      ),
  })
  await page.find('region', /^Fechado/)
  const shown = () => [...document.querySelectorAll<HTMLElement>('[data-lane]')].map(one => one.dataset.lane)
  expect(shown()).toEqual(['', '5', '6'])
  expect(await page.find('button', 'Mover Proposta para a esquerda')).toBeDisabled()
  await page.press('Mover Proposta para a direita')
  await waitFor(() => expect(shown()).toEqual(['', '6', '5']))
  await page.sees('Proposta: coluna 2 de 2')
  await waitFor(() => expect(document.activeElement).toHaveAccessibleName('Mover Proposta para a esquerda'))
  expect(page.server.asked(kanban.order)[0]?.body).toEqual({ tagIds: [6, 5] })
  isRefused = true
  await page.press('Mover Proposta para a esquerda')
  await page.sees(/etiqueta/i)
  await waitFor(() => expect(shown()).toEqual(['', '5', '6']))
})

test('the dialog of a move begins at its first lane, and arrows walk through them', async () => {
  const page = enter('/kanban', marina, { answers: answering })
  await page.press('Mover Katia Reis para…')
  await page.dialog(/^Mover/).find('button', 'Proposta')
  await waitFor(() => expect(document.activeElement).toHaveTextContent('Proposta'))
  await page.user.keyboard('{ArrowDown}')
  expect(document.activeElement).toHaveTextContent('Fechado')
  await page.user.keyboard('{ArrowDown}')
  expect(document.activeElement).toHaveTextContent('Proposta')
})

test('a finger that rests on a card picks it up and drops it on a lane; one that moves on scrolls [KANBAN-005]', async () => {
  const page = enter('/kanban', marina, {
    answers: server =>
      answering(server).on(kanban.move, ({ body }) => ({
        tickets: [{ ...card, version: 9, tags: tags.filter(({ id }) => id === body.tagId) }],
      })),
  })
  const from = page.part('region', 'Em aberto')
  await from.find('article', 'Katia Reis')
  const article = document.querySelector('article')!
  const lane = document.querySelector('[data-lane="6"]')!
  document.elementFromPoint = () => lane
  const touch = (type: string, x: number) =>
    article.dispatchEvent(
      new PointerEvent(type, {
        pointerType: 'touch',
        pointerId: 7,
        isPrimary: true,
        clientX: x,
        bubbles: true,
      }),
    )
  touch('pointerdown', 10)
  touch('pointermove', 60)
  touch('pointerup', 60)
  expect(article).not.toHaveAttribute('data-dragged')
  touch('pointerdown', 10)
  await waitFor(() => expect(article).toHaveAttribute('data-dragged'))
  touch('pointermove', 200)
  expect(lane).toHaveAttribute('data-over')
  touch('pointerup', 200)
  await seesIn(page, 'Fechado')
  expect(page.server.asked(kanban.move).map(({ body }) => body.tagId)).toEqual([6])
  expect(lane).not.toHaveAttribute('data-over')
})
