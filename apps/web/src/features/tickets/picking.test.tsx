import { type BulkOutcome, bulk } from '@balcao/contract/bulk.ts'
import { ClosingReason, closingReasons } from '@balcao/contract/closingReasons.ts'
import { TagChoice, tags } from '@balcao/contract/tags.ts'
import { tickets } from '@balcao/contract/tickets.ts'
import { fireEvent } from '@testing-library/react'
import { expect, test } from 'vitest'
import { counter, ticketOf } from '../../../testing/counter.ts'
import { enter } from '../../../testing/page.tsx'
import { helena, marina } from '../../../testing/people.ts'
import { sample, samples } from '../../../testing/samples.ts'
import { picked } from './picked.ts'

const names = ['Rita Lima', 'Nora Lima', 'Otto Reis', 'Caio Luz']

interface Answers {
  isRefusing?: boolean
  more?: Partial<BulkOutcome>
  reasons?: Partial<ClosingReason>[]
}

function opened({ isRefusing = false, more, reasons = [] }: Answers = {}) {
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
        .on(closingReasons.choices, {
          closingReasons: reasons.map(one => sample(ClosingReason, one)),
          reasonRequired: reasons.length > 0,
        })
        .on(bulk.change, ({ body }) => {
          asked.push(body)
          if (!isRefusing) return { done: body.ids, changed: body.ids, refused: [], ...more }
          const [id, ...done] = body.ids
          return { done, changed: done, refused: [{ id: id!, error: 'ERR_NO_TICKET_FOUND' }] }
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
  const { page, asked } = opened({ isRefusing: true })
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

const chosen = async (page: ReturnType<typeof opened>['page'], name = /Caio Luz/) => {
  const row = await page.find('link', name)
  await choosing(() => fireEvent.click(row, { ctrlKey: true }))
}

test('chosen rows are snoozed, and the undo brings them back', async () => {
  const { page, asked } = opened()
  await chosen(page)
  await page.press('Adiar')
  await page.dialog().press(/^Amanhã/)
  await page.sees('1 atendimento alterado')
  // the next key is the list's again
  await expect.poll(() => document.activeElement?.getAttribute('data-ticket')).toMatch(/^4[1-3]$/)
  await page.press('Desfazer')
  await expect
    .poll(() => asked)
    .toEqual([
      { action: 'snooze', until: expect.any(String), ids: [44] },
      { action: 'snooze', until: null, ids: [44] },
    ])
})

test('where their queue requires a reason it is asked once for all', async () => {
  const { page, asked } = opened({ reasons: [{ id: 7, name: 'Resolvido' }] })
  await chosen(page)
  await page.press('Resolver')
  const dialog = page.dialog()
  expect(await dialog.find('button', 'Resolver')).toBeDisabled()
  await page.user.click(await dialog.find('radio', 'Resolvido'))
  await dialog.press('Resolver')
  await expect.poll(() => asked).toEqual([{ action: 'resolve', closingReasonId: 7, ids: [44] }])
})

test('the undo of tags takes off what was added; what changed nothing says so', async () => {
  const more = { changed: [43], added: [{ tagId: 5, ids: [43] }] }
  const { page, asked } = opened({ more })
  await chosen(page)
  await page.press('Etiquetar')
  await page.dialog().choose('Etiquetas', 'VIP')
  await page.dialog().press('Etiquetar')
  await page.sees('1 atendimento alterado')
  more.changed = []
  await page.press('Desfazer')
  await expect.poll(() => asked.at(-1)).toEqual({ action: 'tag', tagIds: [5], remove: true, ids: [43] })
  await chosen(page, /Nora Lima/)
  await page.press('Resolver')
  await page.sees('Nada mudou: já estavam assim.')
})

test('where the queue of one requires a reason many are resolved with one that fits all', async () => {
  const [fits, other] = samples(ClosingReason, [
    { id: 7, name: 'Resolvido' },
    { id: 8, name: 'De uma fila' },
  ])
  const rita = ticketOf('Rita Lima')
  const page = enter('/tickets', helena, {
    answers: server =>
      counter(rita)
        .answers(server)
        .on(tickets.query, () => ({
          tickets: [1, 2].map(queueId => ({ ...rita, id: 40 + queueId, queueId })),
          reportData: { tickets: [] },
          hasMore: false,
        }))
        .on(closingReasons.choices, ({ query }) => ({
          closingReasons: query.queueId === 1 ? [fits!, other!] : [fits!],
          reasonRequired: query.queueId === 1,
        }))
        .on(tickets.resolveMany, { closed: 2 }),
  })
  await page.press('Resolver vários')
  const dialog = page.dialog()
  await dialog.fill('Para confirmar, escreva Resolver', 'Resolver')
  expect(await dialog.find('button', /^Resolver$/)).toBeDisabled()
  expect(dialog.all('radio')).toHaveLength(1)
  await page.user.click(await dialog.find('radio', 'Resolvido'))
  await dialog.press(/^Resolver$/)
  await page.sees('2 atendimentos resolvidos')
  expect(page.server.asked(tickets.resolveMany)[0]?.body).toEqual({ Tickets: [41, 42], closingReasonId: 7 })
})
