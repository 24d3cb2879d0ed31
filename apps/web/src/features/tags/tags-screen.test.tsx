import { Tag, tagChannel, tags } from '@balcao/contract/tags.ts'
import { expect, test, vi } from 'vitest'
import { enter } from '../../../testing/page.tsx'
import { helena } from '../../../testing/people.ts'
import { keeping } from '../../../testing/rows.ts'
import { sample, samples } from '../../../testing/samples.ts'
import { refuse, type Server } from '../../../testing/server.ts'

const answering = (rows: Tag[]) => (server: Server) => {
  const ownerOf = (name: string | undefined, own?: number) =>
    rows.find(row => row.id !== own && row.name.toLowerCase() === name?.toLowerCase())
  return keeping(tags, { as: 'tags', by: 'tagId', shape: Tag, rows })(server)
    .on(tags.change, ({ params, body }) => {
      const other = ownerOf(body.name, params.tagId)
      if (other) refuse(409, 'ERR_NAME_EXISTS', { field: 'name', details: { tagId: other.id } })
      return Object.assign(rows.find(({ id }) => id === params.tagId)!, body)
    })
    .on(tags.merge, ({ params, body }) => {
      rows.splice(
        rows.findIndex(({ id }) => id === params.tagId),
        1,
      )
      return rows.find(({ id }) => id === body.into)!
    })
}
const stock = () =>
  samples(Tag, [
    { id: 1, name: 'VIP' },
    { id: 2, name: 'Troca', ticketsCount: 3 },
  ])

test('a tag is added, found, changed and deleted, and what a colleague does to one is seen [ROUTE-033, OP-28, TAG-001 … TAG-004, TAG-005, TAG-007, TAG-009, TAG-011]', async () => {
  const rows = stock()
  const page = enter('/tickets', helena, { answers: answering(rows) })
  await page.press('Administração')
  await page.press('Etiquetas')
  await page.press('Adicionar')
  expect(location.pathname).toBe('/tags/new')
  const dialog = page.dialog()
  await dialog.press('Salvar')
  await dialog.sees('Obrigatório')
  await dialog.fill('Nome', 'ab')
  await dialog.press('Salvar')
  await dialog.sees('Mensagem muito curta')
  await dialog.fill('Nome', 'Orçamento')
  await dialog.press('Roxo')
  await dialog.press('Raia do quadro')
  await dialog.press('Salvar')
  await page.sees('Etiqueta salva')
  await page.row('Orçamento').sees('Sim')

  await page.search('ORÇA')
  await expect.poll(() => page.words('row').length).toBe(2)
  Object.assign(rows.find(({ name }) => name === 'Orçamento')!, { name: 'Orçamentos' })
  page.server.push(tagChannel, { action: 'update', tag: sample(Tag, rows.at(-1)!) })
  await page.row('Orçamentos').sees('')

  await page.row('Orçamentos').press('Excluir')
  const question = page.dialog()
  await question.sees('Orçamento')
  vi.useFakeTimers({ shouldAdvanceTime: true })
  await question.press('Excluir')
  await page.sees('Etiqueta excluída')
  await vi.advanceTimersByTimeAsync(2_000)
  await page.lacks('nada disto')
  await page.sees('Etiqueta excluída')
  await vi.advanceTimersByTimeAsync(1_500)
  await expect.poll(() => document.body.textContent?.includes('Etiqueta excluída')).toBe(false)
})

test('a tag that takes the name of another is refused there, and may become one with it', async () => {
  const page = enter('/tags', helena, { answers: answering(stock()) })
  await page.row('Troca').press(/Editar/)
  const dialog = page.dialog()
  await dialog.fill('Nome', 'vip')
  await dialog.press('Salvar')
  await dialog.sees('Outra etiqueta já tem este nome.')
  await dialog.press('Juntar com ela')
  await page.dialog('Juntar Troca').sees('')
  await page.user.keyboard('{Escape}')
  await expect.poll(() => document.body.textContent?.includes('Juntar Troca')).toBe(false)
  await dialog.press('Juntar com ela')
  await page.dialog('Juntar Troca').press('Juntar')
  await page.sees('As etiquetas agora são uma só')
  await page.closed()
  await expect.poll(() => page.words('row').length).toBe(2)
  await page.row('VIP').sees('')
  expect(page.all('alert')).toEqual([])
})

test('a fault of the server without words has some (ERR-028) [ERR-028]', async () => {
  const page = enter('/tags/new', helena, {
    answers: server => answering(stock())(server).on(tags.create, () => refuse(500)),
  })
  await page.dialog().fill('Nome', 'Lua nova')
  await page.dialog().press('Salvar')
  await page.sees('An error occurred!')
})
