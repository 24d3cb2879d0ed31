import type { Page } from '@playwright/test'
import { expectAccessible, inTheDark } from './people.ts'
import { picture, sticker } from './samples.ts'
import { expect, test } from './world.ts'

const builder = (page: Page) => page.getByRole('group', { name: /Nova ação|Editar a ação/ })
const table = (page: Page) => page.getByRole('table', { name: 'Ação' })
const phoneOf = (page: Page) => page.getByRole('region', { name: 'Simulador' })
const choose = (page: Page, kind: string) => builder(page).getByText(kind, { exact: true }).click()
const put = (page: Page) => builder(page).getByRole('button', { name: 'Adicionar ação' }).click()

async function addText(page: Page, text: string) {
  await choose(page, 'Texto')
  await builder(page).getByLabel('Texto da mensagem').fill(text)
  await put(page)
}
async function addSeconds(page: Page, kind: string, seconds: number) {
  await choose(page, kind)
  await builder(page).getByLabel('Segundos').fill(String(seconds))
  await put(page)
}
/** What the rows of the table are, from the first. */
const rows = async (page: Page) =>
  (await table(page).getByRole('row').allTextContents()).slice(1).map(text => text.replace(/^\d+/, ''))

test('a flow is put together, put in order by keyboard and pointer, played, saved, changed and deleted [ROUTE-036 … ROUTE-037, OP-11, FLOW-001 … FLOW-006, FLOW-007 … FLOW-008, FLOW-010 … FLOW-012, FLOW-013, FLOW-014, FLOW-016, FLOW-017 … FLOW-022, FLOW-024]', async ({
  people,
}) => {
  const [helena, marina, stranger] = await Promise.all([
    people.admin(),
    people.attendant(),
    people.stranger(),
  ])
  const name = `Fluxo ${Date.now().toString().slice(-8)}`
  const [there, elsewhere] = [marina, stranger].map(page => page.getByRole('row').filter({ hasText: name }))
  await marina.goto('/flowlist')
  await stranger.goto('/flowList')
  await helena.goto('/flowList')
  await helena.getByRole('button', { name: 'Adicionar fluxo' }).click()
  await expect(helena).toHaveURL('/flowmanager/')

  await helena.getByRole('button', { name: 'Salvar' }).click()
  await expect(helena.getByText('O nome é obrigatório')).toBeVisible()
  await expect(helena.getByText('Selecione um tipo de fluxo')).toBeVisible()
  await helena.getByLabel('Nome').fill('Abcde')
  await helena.getByRole('button', { name: 'Salvar' }).click()
  await expect(helena.getByText('O nome deve conter no mínimo 5 caracteres')).toBeVisible()
  await helena.getByLabel('Nome').fill(name)
  await helena.getByRole('combobox', { name: 'Tipo' }).click()
  await helena.getByRole('option', { name: 'Atendimento' }).click()

  await addText(helena, 'a')
  await expect(builder(helena).getByText('Escreva mais de 1 caractere')).toBeVisible()
  await addText(helena, 'Oi, {{cliente}}!')
  await addSeconds(helena, 'Digitando', 0)
  await expect(builder(helena).getByText('Pelo menos 1 segundo')).toBeVisible()
  await addSeconds(helena, 'Digitando', 2)
  await choose(helena, 'Mídia')
  await put(helena)
  await expect(builder(helena).getByText('Escolha um arquivo')).toBeVisible()
  await builder(helena).locator('input[type=file]').setInputFiles(sticker())
  await expect(builder(helena).getByText(/oi.webp: um fluxo aceita/)).toBeVisible()
  await builder(helena).locator('input[type=file]').setInputFiles(picture())
  await expect(builder(helena).getByText(/foto.png/)).toBeVisible()
  await put(helena)
  await addSeconds(helena, 'Gravando áudio', 2)
  await expect
    .poll(() => rows(helena))
    .toEqual(['TextoOi, {{cliente}}!', 'Digitando2 s', 'Mídiafoto.png', 'Gravando áudio2 s'])
  await expectAccessible(helena)

  // the keys of the handle move its row, and the focus goes with it
  await helena.getByRole('button', { name: /^Mover 2:/ }).press('ArrowUp')
  await expect(helena.getByRole('button', { name: /^Mover 1: Digitando/ })).toBeFocused()
  await helena.keyboard.press('End')
  await expect(helena.getByRole('button', { name: /^Mover 4: Digitando/ })).toBeFocused()
  await helena.keyboard.press('Home')
  await helena.getByRole('button', { name: 'Subir a ação 4' }).click()
  await expect
    .poll(() => rows(helena))
    .toEqual(['Digitando2 s', 'TextoOi, {{cliente}}!', 'Gravando áudio2 s', 'Mídiafoto.png'])
  // and the pointer drags it
  const from = (await helena.getByRole('button', { name: /^Mover 3:/ }).boundingBox())!
  const to = (await helena.getByRole('button', { name: /^Mover 1:/ }).boundingBox())!
  await helena.mouse.move(from.x + 8, from.y + 8)
  await helena.mouse.down()
  await helena.mouse.move(to.x + 8, to.y - 12, { steps: 6 })
  await helena.mouse.up()
  await expect
    .poll(() => rows(helena))
    .toEqual(['Gravando áudio2 s', 'Digitando2 s', 'TextoOi, {{cliente}}!', 'Mídiafoto.png'])

  const phone = phoneOf(helena)
  await phone.getByRole('button', { name: 'Reproduzir' }).click()
  await expect(phone.getByText('gravando audio...')).toBeVisible()
  await expect(phone.getByText('digitando...')).toBeVisible()
  await expect(phone.getByRole('article').first()).toContainText('Oi, Ana Souza!')
  await expect(phone.getByRole('article').nth(1).locator('img')).toBeVisible()
  await expect(phone.getByText('online')).toBeVisible()
  await phone.getByText('4×').click()
  await phone.getByRole('button', { name: 'Recomeçar' }).click()
  await expect(phone.getByRole('article')).toHaveCount(0)
  await phone.getByRole('button', { name: 'Próxima ação' }).click()
  await expect(phone.getByText('gravando audio...')).toBeVisible()
  await expect(phone.getByText('1 de 4')).toBeVisible()
  await expect(phone.getByText('online')).toBeVisible()

  await helena.getByRole('button', { name: 'Salvar' }).click()
  await expect(helena.getByText('Fluxo criado com sucesso')).toBeVisible()
  await expect(helena).toHaveURL(/\/flowmanager\/\d+$/)
  await expect(there!).toContainText('Atendimento')
  await inTheDark(helena)
  await helena.setViewportSize({ width: 390, height: 800 })
  await helena.reload()
  await expect.poll(async () => (await rows(helena)).length).toBe(4)
  await helena.setViewportSize({ width: 1440, height: 900 })
  await phone.getByRole('button', { name: 'Próxima ação' }).click()

  await helena.getByRole('button', { name: 'Editar a ação 3' }).click()
  await builder(helena).getByLabel('Texto da mensagem').fill('Bom dia!')
  await builder(helena).getByRole('button', { name: 'Alterar ação' }).click()
  await helena.getByRole('button', { name: 'Excluir a ação 1' }).click()
  await helena.getByRole('button', { name: 'Salvar' }).click()
  await expect(helena.getByText('Fluxo salvo com sucesso')).toBeVisible()
  await helena.reload()
  await expect.poll(() => rows(helena)).toEqual(['Digitando2 s', 'TextoBom dia!', 'Mídiafoto.png'])

  await helena.getByRole('button', { name: 'Voltar para os fluxos' }).click()
  await helena.getByRole('row').filter({ hasText: name }).getByRole('button', { name: 'Excluir' }).click()
  await helena.getByRole('dialog').getByRole('button', { name: 'Excluir' }).click()
  await expect(there!).toBeHidden()
  await expect(elsewhere!).toBeHidden()
})
