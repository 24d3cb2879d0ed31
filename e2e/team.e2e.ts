import { bubbles, compose, inTouch, sentBy } from './conversation.ts'
import { expectAccessible, leadTo } from './people.ts'
import { expect, test } from './world.ts'

const field = 'Escreva uma nota; @ menciona colegas e filas'

test('two colleagues at one conversation: who writes is seen, a note by keyboard alone mentions, waits without a connection and never leaves, and an answer meanwhile is asked about', async ({
  people,
  phone,
}) => {
  const { marina, number, name } = await inTouch(people, phone)
  const helena = await people.admin({ at: new URL(marina.url()).pathname })
  await expect(compose(helena)).toBeVisible()
  const header = helena.getByRole('region', { name: `Conversa com ${name}` })
  await compose(marina).fill('Já vejo')
  await expect(header.getByRole('img', { name: 'Marina Duarte está respondendo' })).toBeVisible()

  // the note, without a mouse
  await compose(helena).press('Control+Alt+n')
  await expect(helena.getByLabel(field)).toBeFocused()
  await helena.keyboard.type('Pague só depois, @Mari')
  await expect(helena.getByRole('option', { name: 'Marina Duarte' })).toBeVisible()
  await helena.keyboard.press('Enter')
  await expectAccessible(helena)
  await helena.context().setOffline(true)
  await helena.keyboard.press('Enter')
  await expect(bubbles(helena).filter({ hasText: 'Pague só depois' })).toHaveAttribute('data-note', 'true')
  await expect(helena.getByLabel(field)).toHaveValue('')
  await helena.context().setOffline(false)
  const noted = bubbles(marina).filter({ hasText: 'Pague só depois, @Marina Duarte' })
  await expect(noted).toHaveCount(1, { timeout: 60_000 })
  await marina.getByRole('button', { name: /^Notificações: \d+/ }).click()
  const mention = marina.getByRole('button', { name: /Helena Prado mencionou você/ }).first()
  await expectAccessible(marina)
  await mention.click()
  await expect(noted).toBeInViewport()

  // an answer of a colleague, while another one is written
  await helena.keyboard.press('Control+Alt+n')
  await compose(helena).fill('Respondo eu')
  await compose(marina).press('Enter')
  await expect.poll(() => sentBy(phone, number)).toEqual(['Já vejo'])
  await expect(bubbles(helena).filter({ hasText: 'Já vejo' })).toHaveCount(1)
  await compose(helena).press('Enter')
  await expect(helena.getByRole('alert')).toContainText('Marina Duarte: Já vejo')
  await expectAccessible(helena)
  await helena.keyboard.press('Enter')
  await expect.poll(() => sentBy(phone, number)).toEqual(['Já vejo', 'Respondo eu'])
})

test('colleagues talk: a ticket is shared from its menu, counts in the other one’s menu, and opens from the room', async ({
  people,
  phone,
}) => {
  const { marina, name } = await inTouch(people, phone)
  const address = new URL(marina.url()).pathname
  const helena = await people.admin({ at: '/contacts' })
  await marina.getByRole('button', { name: 'Mais ações' }).click()
  await marina.getByRole('menuitem', { name: 'Compartilhar no chat interno' }).click()
  await marina.getByRole('combobox', { name: 'Sala ou colega' }).fill('Helena')
  await marina.getByRole('option', { name: 'Helena Prado' }).click()
  await marina.getByLabel('Mensagem (opcional)').fill('Pode ver?')
  await marina.keyboard.press('Tab')
  await marina.getByRole('button', { name: 'Compartilhar', exact: true }).click()
  await expect(marina.getByText('Compartilhado em Helena Prado')).toBeVisible()
  await expect(helena.getByRole('link', { name: /^Conversas internas.*não lida/ })).toBeVisible()
  await leadTo(helena, '/chat')
  await helena.getByRole('link', { name: /^Marina Duarte/ }).click()
  const talk = helena.getByRole('log')
  await expect(talk).toContainText('Pode ver?')
  await expect(helena.getByRole('link', { name: /não lida/ })).toHaveCount(0)
  await helena.getByLabel('Escreva aos colegas').fill('Vejo já')
  await helena
    .locator('input[type=file]')
    .setInputFiles([
      { name: 'metas.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.4\n%%EOF') },
    ])
  await helena.reload()
  await expect(helena.getByText('metas.pdf')).toBeVisible()
  await helena.getByLabel('Escreva aos colegas').press('Enter')
  await expect(talk.getByRole('button', { name: 'metas.pdf' })).toBeVisible()
  await talk.getByRole('link', { name: new RegExp(name) }).click()
  await expect(helena).toHaveURL(new RegExp(`${address}$`))
})
