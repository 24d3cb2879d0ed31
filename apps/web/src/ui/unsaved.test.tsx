import { QuickAnswer, quickAnswerChannel, quickAnswers } from '@balcao/contract/quickAnswers.ts'
import { act } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { enter } from '../../testing/page.tsx'
import { marina } from '../../testing/people.ts'
import { keeping } from '../../testing/rows.ts'
import { sample, samples } from '../../testing/samples.ts'
import { refuse, type Server } from '../../testing/server.ts'

const answering = (rows: QuickAnswer[]) => (server: Server) =>
  keeping(quickAnswers, { as: 'quickAnswers', by: 'quickAnswerId', shape: QuickAnswer, rows })(server)
const stock = () =>
  samples(QuickAnswer, [{ id: 1, shortcut: 'pix', message: 'Pagando por Pix há desconto.' }])

test('the search of a list is in its address, also below a dialog and after it, and begins the list anew', async () => {
  const rows = [...stock(), sample(QuickAnswer, { id: 2, shortcut: 'prazo', message: 'Dez dias.' })]
  const page = enter('/quickAnswers', marina, { answers: answering(rows) })
  await page.row('pix').sees('desconto')
  await page.search('prazo')
  await expect.poll(() => location.search).toBe('?search=prazo')
  await page.row('prazo').press(/Editar/)
  await page.dialog().press('Cancelar')
  await expect.poll(() => location.pathname + location.search).toBe('/quickAnswers?search=prazo')
  const again = enter('/quickAnswers?search=prazo', marina, { answers: answering(rows) })
  await again.row('prazo').sees('Dez dias.')
  const asked = again.server.asked(quickAnswers.list).map(({ query }) => query.searchParam)
  expect(new Set(asked)).toEqual(new Set(['prazo']))
  await expect.poll(() => document.title).toBe('Respostas rápidas · Balcão')
  await again.search('')
  await expect.poll(() => location.search).toBe('')
})

test('what one writes in a dialog stays when the row cannot be had anew, and can be copied when the row is gone', async () => {
  const rows = stock()
  const page = enter('/quickAnswers', marina, { answers: answering(rows) })
  await page.row('pix').press(/Editar/)
  await page.dialog().fill('Mensagem', 'Por Pix há 5% de desconto.')
  page.server.on(quickAnswers.show, () => refuse(400))
  const asked = page.server.asked(quickAnswers.show).length
  const push = () =>
    page.server.push(quickAnswerChannel, { action: 'update', quickAnswer: sample(QuickAnswer, rows[0]!) })
  push()
  await expect.poll(() => page.server.asked(quickAnswers.show).length).toBeGreaterThan(asked)
  await page.dialog().sees('Por Pix há 5% de desconto.')
  page.server.on(quickAnswers.show, () => refuse(404, 'ERR_NOT_FOUND'))
  push()
  await page.dialog().sees('Não salvo')
  page.server.on(quickAnswers.change, () => refuse(404, 'ERR_NOT_FOUND', { field: 'quickAnswerId' }))
  await page.dialog().press('Salvar')
  const gone = page.dialog('Isto foi excluído enquanto você editava')
  expect(await gone.field('O que você escreveu')).toHaveValue('pix\nPor Pix há 5% de desconto.')
  await gone.press('Fechar sem salvar')
  await page.closed()
  expect(location.pathname).toBe('/quickAnswers')
})

test('a row that is gone before anything is shown of it closes its dialog', async () => {
  const page = enter('/quickAnswers/9', marina, {
    answers: server => answering(stock())(server).on(quickAnswers.show, () => refuse(404, 'ERR_NOT_FOUND')),
  })
  await page.sees('Nada foi encontrado neste endereço')
  await page.closed()
})

test('Escape, the cross, a step back and the closed tab ask before they take what is written; nothing asks when nothing is', async () => {
  const page = enter('/quickAnswers', marina, { answers: answering(stock()) })
  await page.row('pix').press(/Editar/)
  await page.dialog().find('textbox', 'Atalho')
  await userEvent.keyboard('{Escape}')
  await page.closed()

  await page.row('pix').press(/Editar/)
  await page.dialog().fill('Mensagem', 'Por Pix há 5% de desconto.')
  await page.dialog().sees('Não salvo')
  const closing = new Event('beforeunload', { cancelable: true })
  expect(window.dispatchEvent(closing)).toBe(false)
  const stays = async () => {
    await page.dialog('Sair sem salvar?').press('Cancelar')
    await page.dialog('Editar').sees('Por Pix há 5% de desconto.')
    expect(location.pathname).toBe('/quickAnswers/1')
  }
  await userEvent.keyboard('{Escape}')
  await stays()
  await page.dialog().press('Fechar')
  await stays()
  const { idx } = history.state as { idx: number }
  await act(async () => dispatchEvent(new PopStateEvent('popstate', { state: { idx: idx - 1 } })))
  await stays()

  await page.dialog().fill('Mensagem', 'Pagando por Pix há desconto.')
  await expect.poll(() => page.dialog().element.textContent).not.toContain('Não salvo')
  await page.dialog().fill('Mensagem', 'Outra.')
  await userEvent.keyboard('{Escape}')
  await page.dialog('Sair sem salvar?').press('Sair sem salvar')
  await page.closed()
})

test('who edits what a colleague changed meanwhile is told what it is now, and saves over it or takes it', async () => {
  const rows = stock()
  const page = enter('/quickAnswers', marina, { answers: answering(rows) })
  const current = {
    id: 1,
    shortcut: 'chave',
    message: 'Pagando por Pix há desconto.',
    queueId: null,
    userId: null,
  }
  const collide = () => {
    let times = 0
    const change = { ...current, message: 'Por Pix há 5% de desconto.' }
    page.server.on(quickAnswers.change, ({ body }) => {
      if (times++ === 0)
        refuse(409, 'ERR_CHANGED_MEANWHILE', {
          field: 'shortcut',
          details: { changed: ['shortcut'], current, by: { userId: 2, name: 'Helena' } },
        })
      return { ...change, ...body, queueId: null, userId: null }
    })
  }
  const begin = async () => {
    await page.row('pix').press(/Editar/)
    await page.dialog().fill('Mensagem', 'Por Pix há 5% de desconto.')
    collide()
    await page.dialog().press('Salvar')
    const question = page.dialog('Helena mudou isto enquanto você editava')
    await question.sees('Atalho', 'chave')
    return question
  }
  await (await begin()).press('Salvar o meu')
  await page.sees('Salvo com sucesso')
  await page.closed()
  const { id: _, ...shown } = current
  expect(page.server.asked(quickAnswers.change).at(-1)).toMatchObject({ body: { shortcut: 'pix' } })
  expect(page.server.asked(quickAnswers.change).at(-1)!.seen).toEqual(shown)

  const question = await begin()
  page.server.on(quickAnswers.show, current)
  await question.press('Usar o que está salvo')
  await expect.poll(async () => (await page.dialog().field('Atalho')).getAttribute('value')).toBe('chave')
  expect(await page.dialog().field('Mensagem')).toHaveValue('Por Pix há 5% de desconto.')
})
