import { bulk } from '@balcao/contract/bulk.ts'
import { TagChoice, tags } from '@balcao/contract/tags.ts'
import { tickets } from '@balcao/contract/tickets.ts'
import { fireEvent } from '@testing-library/react'
import { expect, test } from 'vitest'
import { counter, ticketOf } from '../../../testing/counter.ts'
import { enter } from '../../../testing/page.tsx'
import { marina } from '../../../testing/people.ts'
import { sample } from '../../../testing/samples.ts'
import { picked } from './picked.ts'

const names = ['Rita Lima', 'Nora Lima', 'Otto Reis', 'Caio Luz']

function opened() {
  const all = names.map((name, at) => ticketOf(name, { id: 41 + at }, marina))
  const asked: unknown[] = []
  const page = enter('/tickets', marina, {
    answers: server =>
      counter(all[0]!)
        .answers(server)
        .on(tickets.list, ({ query }) => {
          const rows = query.status === 'open' ? all : []
          return { tickets: rows, hasMore: false, count: rows.length }
        })
        .on(tags.all, [sample(TagChoice, { id: 5, name: 'VIP', color: '#123456' })])
        .on(bulk.change, ({ body }) => {
          asked.push(body)
          return { done: body.ids.slice(1), refused: [{ id: body.ids[0]!, error: 'ERR_NO_TICKET_FOUND' }] }
        }),
  })
  return { page, asked }
}

/** The first choice waits for the code that makes it. */
const choosing = (choose: () => unknown) =>
  expect
    .poll(() => {
      if (!picked.read()) choose()
      return picked.read()?.size
    })
    .toBe(1)

test('rows are chosen with Ctrl, with Shift and while choosing with a click; what is done with them can be undone, and what was refused says why', async () => {
  const { page, asked } = opened()
  const [first, , third, last] = await Promise.all(names.map(name => page.find('link', new RegExp(name))))
  await choosing(() => fireEvent.click(first!, { ctrlKey: true }))
  fireEvent.click(third!, { shiftKey: true })
  await page.sees('3 escolhidos')
  expect(location.pathname).toBe('/tickets')
  fireEvent.click(last!)
  await page.sees('4 escolhidos')
  fireEvent.click(last!)
  await page.sees('3 escolhidos')
  await page.press('Resolver')
  await page.sees('2 atendimentos alterados')
  await page.sees(/1 atendimento ficou como estava\. .*Nenhum/)
  await page.press('Desfazer')
  await expect
    .poll(() => asked)
    .toEqual([
      { action: 'resolve', ids: [41, 43, 42] },
      { action: 'undo', ids: [43, 42] },
    ])
})

test('by keyboard: Space chooses, Shift with an arrow the next one, Ctrl+A all, Esc none', async () => {
  const { page, asked } = opened()
  const row = await page.find('link', /Caio Luz/)
  row.focus()
  await choosing(() => fireEvent.keyDown(row, { key: ' ' }))
  await page.user.keyboard('{Shift>}{ArrowDown}{/Shift}')
  await page.sees('2 escolhidos')
  await page.user.keyboard('{Control>}a{/Control}')
  await page.sees('4 escolhidos')
  await page.user.keyboard('{Escape}')
  await expect.poll(() => picked.read()).toBeNull()
  await page.press('Escolher vários')
  await page.user.click(row)
  await page.press('Etiquetar')
  await page.dialog().choose('Etiquetas', 'VIP')
  await page.dialog().press('Etiquetar')
  await expect.poll(() => asked).toEqual([{ action: 'tag', tagIds: [5], ids: [44] }])
})
