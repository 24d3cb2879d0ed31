import { readFileSync } from 'node:fs'
import { contacts } from '@balcao/contract/contacts.ts'
import { permissions } from '@balcao/contract/permissions.ts'
import { tickets } from '@balcao/contract/tickets.ts'
import { callsOf } from './call.ts'
import { bubbles, compose, inTouch } from './conversation.ts'
import { expectAccessible, inTheDark } from './people.ts'
import { paper, picture } from './samples.ts'
import { expect, test } from './world.ts'

test('beside a conversation stands who the customer is, his tags, categories, earlier tickets and files', async ({
  people,
  phone,
  world,
}) => {
  const { marina, number, name } = await inTouch(people, phone, 'Dora')
  const { call } = await callsOf(world.url)
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
})

test('on a phone the contact fills the screen, in the dark too, and Escape leads back to the conversation', async ({
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
  // it takes the focus when it comes
  await expect(compose(marina)).toBeFocused()
  await marina.getByRole('heading', { name }).getByRole('button').click()
  const drawer = marina.getByRole('dialog', { name: 'Contato' })
  await expect(drawer.getByText('Este é o primeiro')).toBeVisible()
  await expect.poll(async () => (await drawer.boundingBox())?.width).toBe(390)
  await expectAccessible(marina)
  await marina.keyboard.press('Escape')
  await expect(drawer).toBeHidden()
  await expect(marina.getByRole('heading', { name }).getByRole('button')).toBeFocused()
})

test('who may export saves what was said with a contact as a spreadsheet; who may not has no such entry', async ({
  people,
  phone,
  world,
}) => {
  const { marina, name } = await inTouch(people, phone, 'Frida')
  const more = marina.getByRole('button', { name: 'Mais ações' }).last()
  const entry = marina.getByRole('menuitem', { name: 'Exportar conversa' })
  await more.click()
  await expect(marina.getByRole('menuitem').first()).toBeVisible()
  await expect(entry).toBeHidden()
  await marina.keyboard.press('Escape')

  const { call } = await callsOf(world.url)
  const [group] = (await call(permissions.list, { query: { searchParam: 'Operacionais' } }))
    .userAuthorizations
  const params = { authorizationId: group!.id }
  await call(permissions.change, { params, body: { name: group!.name, allowTicketExport: true } })
  await more.click()
  await entry.click()
  const dialog = marina.getByRole('dialog', { name: 'Exportar conversa' })
  await expect(dialog.getByRole('combobox', { name: 'Contato' })).toHaveValue(name)
  const dayOf = async (field: string) => {
    const shown = await dialog.getByRole('button', { name: field }).textContent()
    const [day, month, year] = shown!.split(' ')[0]!.split('/').map(Number)
    return Date.UTC(year!, month! - 1, day) / 86_400_000
  }
  expect((await dayOf('Data final')) - (await dayOf('Data inicial')), 'the last 30 days').toBe(30)
  await expectAccessible(marina)
  const saved = marina.waitForEvent('download')
  await dialog.getByRole('button', { name: 'Exportar', exact: true }).click()
  const file = await saved
  expect(file.suggestedFilename()).toContain(name)
  // an archive, as spreadsheets are
  expect(
    readFileSync(await file.path())
      .subarray(0, 2)
      .toString(),
  ).toBe('PK')
  await expect(dialog).toBeHidden()

  await marina.route('**/ticketsExport', route => route.fulfill({ json: { link: null } }))
  await more.click()
  await entry.click()
  await dialog.getByRole('button', { name: 'Exportar', exact: true }).click()
  await expect(marina.getByText('Falha ao fazer o download do arquivo')).toBeVisible()
  await call(permissions.change, { params, body: { name: group!.name, allowTicketExport: false } })
})
