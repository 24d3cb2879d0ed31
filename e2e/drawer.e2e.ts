import { readFileSync } from 'node:fs'
import { contacts } from '@balcao/contract/contacts.ts'
import { permissions } from '@balcao/contract/permissions.ts'
import { tickets } from '@balcao/contract/tickets.ts'
import { bubbles, compose, inTouch } from './conversation.ts'
import { expectAccessible, inTheDark } from './people.ts'
import { paper, picture } from './samples.ts'
import { expect, test } from './world.ts'

test('beside a conversation stands who the customer is, his tags, categories, earlier tickets and files; what was said with him is saved as a spreadsheet [CONV-006, CONV-010 … CONV-011, CONV-012, CONV-014]', async ({
  people,
  phone,
  shop,
}) => {
  const { marina, number, name } = await inTouch(people, phone, 'Dora')
  const { call } = shop
  const ticketId = Number(marina.url().split('/').at(-1))
  const { contactId } = await call(tickets.show, { params: { ticketId } })
  await phone.send(number, {}, [picture('sala.png'), paper('nota.pdf')])
  await expect(bubbles(marina).filter({ hasText: 'nota.pdf' })).toBeVisible()

  await compose(marina).click()
  await marina.keyboard.press('Alt+c')
  const drawer = marina.getByRole('complementary', { name: 'Contato' })
  await expect(drawer.getByRole('link', { name: 'Ligar' })).toHaveAttribute('href', `tel:+${number}`)
  await expect(drawer.getByRole('link', { name: 'E-mail' })).toBeHidden()
  await expect(drawer.getByText('Este é o primeiro')).toBeVisible()
  const extraInfo = [{ name: 'Cidade', value: 'Olinda' }]
  await call(contacts.change, { params: { contactId }, body: { email: 'dora@cliente.test', extraInfo } })
  await expect(drawer.getByRole('link', { name: 'E-mail' })).toHaveAttribute(
    'href',
    'mailto:dora@cliente.test',
  )
  await expect(drawer.getByText('Olinda')).toBeVisible()
  await drawer.getByRole('button', { name: 'Editar' }).click()
  await marina.getByRole('dialog').getByLabel('Nome', { exact: true }).fill(`${name} Lima`)
  await marina.getByRole('dialog').getByRole('button', { name: 'Salvar' }).click()
  await expect(drawer.getByText(`${name} Lima`)).toBeVisible()
  await expect(marina.getByRole('heading', { name: `${name} Lima` })).toBeVisible()

  await drawer.getByRole('button', { name: 'Etiqueta', exact: true }).click()
  await marina.getByRole('option', { name: 'Troca' }).click()
  await marina.keyboard.press('Escape')
  await expect(drawer.getByText('Troca')).toBeVisible()
  await drawer.getByRole('combobox', { name: 'Categorias' }).click()
  await marina.getByRole('option', { name: 'Arquiteto' }).click()
  await expect
    .poll(async () =>
      (await call(contacts.show, { params: { contactId } })).categoryContacts.map(one => one.name),
    )
    .toEqual(['Arquiteto'])
  await marina.keyboard.press('Escape')

  await expect(drawer.getByRole('button', { name: /Mostrar na conversa: sala\.png/ })).toBeVisible()
  await drawer.getByRole('button', { name: /^nota\.pdf/ }).click()
  await expect(bubbles(marina).filter({ hasText: 'nota.pdf' })).toBeInViewport()
  await expectAccessible(marina)

  // a new ticket of the same contact has this one before it, and the drawer is remembered
  await marina.keyboard.press('Alt+1')
  await expect(compose(marina)).toBeHidden()
  await phone.write(number, 'Voltei')
  await marina.keyboard.press('Alt+s')
  await expect(marina.getByRole('tab', { name: /Aguardando/ })).toHaveAttribute('aria-selected', 'true')
  await marina.reload()
  await marina.locator('[data-ticket]').filter({ hasText: name }).click()
  await drawer.getByRole('link', { name: /Vendas|Suporte|Financeiro/ }).click()
  await expect(marina).toHaveURL(new RegExp(`/${ticketId}$`))
  await drawer.getByRole('button', { name: 'Fechar' }).click()
  await expect(drawer).toBeHidden()

  const group = { params: { authorizationId: shop.groupId }, body: { name: 'Operacionais' } }
  await call(permissions.change, { ...group, body: { ...group.body, allowTicketExport: true } })
  await marina.getByRole('button', { name: 'Mais ações' }).last().click()
  await marina.getByRole('menuitem', { name: 'Exportar conversa' }).click()
  const dialog = marina.getByRole('dialog', { name: 'Exportar conversa' })
  await expect(dialog.getByRole('combobox', { name: 'Contato' })).toHaveValue(`${name} Lima`)
  await expectAccessible(marina)
  const saved = marina.waitForEvent('download')
  await dialog.getByRole('button', { name: 'Exportar', exact: true }).click()
  const file = await saved
  expect(file.suggestedFilename()).toContain(name)
  // an archive, as spreadsheets are
  expect(readFileSync(await file.path(), 'latin1').slice(0, 2)).toBe('PK')
  await expect(dialog).toBeHidden()
  await call(permissions.change, { ...group, body: { ...group.body, allowTicketExport: false } })
})

test('on a phone the contact fills the screen, in the dark too, and Escape leads back to the conversation [CONV-006]', async ({
  people,
  phone,
}) => {
  const { name, number } = await inTouch(people, phone, 'Elis')
  await phone.write(number, 'Ainda estou aqui')
  const marina = await people.attendant({ viewport: { width: 390, height: 844 } })
  await inTheDark(marina)
  await marina.reload()
  await marina.getByRole('tab', { name: /Atendendo/ }).click()
  await marina.locator('[data-ticket]').filter({ hasText: name }).click()
  // it receives the focus when it opens
  await expect(compose(marina)).toBeFocused()
  await marina.getByRole('heading', { name }).getByRole('button').click()
  const drawer = marina.getByRole('dialog', { name: 'Contato' })
  await expect(drawer.getByText('Este é o primeiro')).toBeVisible()
  await expect.poll(async () => (await drawer.boundingBox())?.width).toBe(390)
  await marina.keyboard.press('Escape')
  await expect(drawer).toBeHidden()
  await expect(marina.getByRole('heading', { name }).getByRole('button')).toBeFocused()
  await marina.keyboard.press('Enter')
  await expect(drawer.getByText('Este é o primeiro')).toBeVisible()
  // “back” closes what covers the conversation, not the conversation
  await marina.evaluate(() => history.back())
  await expect(drawer).toBeHidden()
  await expect(compose(marina)).toBeVisible()
  await expect(marina.getByRole('heading', { name }).getByRole('button')).toBeFocused()
})
