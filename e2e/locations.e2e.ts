import { locations } from '@balcao/contract/locations.ts'
import { callsOf } from './call.ts'
import { inTouch } from './conversation.ts'
import { expectAccessible } from './people.ts'
import { expect, test } from './world.ts'

test('a place is saved, sent in a conversation, changed and deleted', async ({ people, phone }) => {
  const helena = await people.admin({ at: '/locations' })
  await helena.getByRole('button', { name: 'Adicionar localização' }).click()
  await expect(helena).toHaveURL(/\/locations\/new$/)
  const dialog = helena.getByRole('dialog')
  await dialog.getByLabel('Nome').fill('Loja Pituba')
  await dialog.getByLabel('Posição: lat, lng').fill('longe')
  await dialog.getByRole('button', { name: 'Salvar' }).click()
  await expect(dialog.getByText('Escreva a latitude e a longitude')).toBeVisible()
  await expect(dialog.getByText('A busca por endereço precisa da MAPS_KEY')).toBeVisible()
  await dialog
    .getByLabel('Posição: lat, lng')
    .fill('https://www.google.com/maps/place/Loja/@-13.01,-38.5,13z/data=!8m2!3d-12.9969!4d-38.4529')
  await dialog.getByLabel('Nome').focus()
  await expect(dialog.getByLabel('Posição: lat, lng')).toHaveValue('-12.9969, -38.4529')
  await expectAccessible(helena)
  await dialog.getByRole('button', { name: 'Salvar' }).click()
  await expect(helena.getByText('Localização criada com sucesso')).toBeVisible()
  await expect(helena).toHaveURL(/\/locations$/)
  await expect(helena.getByRole('listitem').filter({ hasText: 'Loja Pituba' })).toContainText('-12.99690')
  await expectAccessible(helena)

  const number = `5541${Date.now().toString().slice(-9)}`
  await phone.write(number, 'Onde fica?', `Ugo ${number.slice(-5)}`)
  await helena.goto('/tickets')
  await helena.getByRole('tab', { name: /Aguardando/ }).click()
  await helena
    .locator('[data-ticket]')
    .filter({ hasText: number.slice(-5) })
    .click()
  await helena
    .getByRole('region', { name: /Conversa com/ })
    .getByRole('button', { name: 'Aceitar' })
    .first()
    .click()
  await helena.getByRole('dialog').getByLabel('Fila').selectOption({ label: 'Suporte' })
  await helena.getByRole('dialog').getByRole('button', { name: 'Iniciar' }).click()
  const sendPlace = async () => {
    await helena.getByRole('button', { name: 'Enviar localização' }).click()
    await helena.getByRole('button', { name: 'Enviar Loja Pituba' }).click()
    await helena.getByRole('dialog').getByRole('button', { name: 'Enviar', exact: true }).click()
  }
  const arrived = async () => (await phone.chat(number)).filter(one => one.mediaType === 'location').length
  await sendPlace()
  await expect.poll(arrived).toBe(1)

  // the documents only log it: who attends would believe that it was sent (MSG-036)
  await phone.fault('reject')
  await sendPlace()
  const failure = helena.getByRole('log').getByRole('alert')
  await expect(failure).toContainText('Não enviada')
  await phone.fault('none')
  await failure.getByRole('button', { name: 'Reenviar' }).click()
  await expect.poll(arrived).toBe(2)

  await helena.goto('/locations')
  await helena.getByRole('button', { name: 'Editar Loja Pituba' }).click()
  await helena.getByRole('dialog').getByLabel('Nome').fill('Loja da praia')
  await helena.getByRole('dialog').getByRole('button', { name: 'Salvar' }).click()
  await helena.getByRole('button', { name: 'Excluir Loja da praia' }).click()
  await helena.getByRole('dialog').getByRole('button', { name: 'Excluir' }).click()
  await expect(helena.getByText('Localização excluída com sucesso')).toBeVisible()
  await expect(helena.getByText('Loja da praia')).toBeHidden()
  await expect.poll(async () => (await phone.chat(number)).at(-1)?.dataJson).toContain('-12.9969')
})

test('in a conversation a place is found by two letters of its name; what is not there is said, and an emptied field shows all (MSG-035, OP-83)', async ({
  people,
  phone,
  world,
}) => {
  const { call } = await callsOf(world.url)
  for (const name of ['Depósito Norte', 'Oficina Sul'])
    await call(locations.create, { body: { name, latitude: -12.97, longitude: -38.5 } })
  const { marina, number } = await inTouch(people, phone)
  const asked: (string | null)[] = []
  marina.on('request', request => {
    const { pathname, searchParams } = new URL(request.url())
    if (pathname === locations.list.path) asked.push(searchParams.get('searchParam'))
  })
  await marina.getByRole('button', { name: 'Enviar localização' }).click()
  const dialog = marina.getByRole('dialog')
  const offers = (name: string) => dialog.getByRole('button', { name: `Enviar ${name}` })
  const field = dialog.getByRole('textbox')
  await expect(offers('Depósito Norte')).toBeVisible()
  await expect(field).toBeFocused()
  await field.fill('of')
  await expect(offers('Depósito Norte')).toBeHidden()
  await expect(offers('Oficina Sul')).toBeVisible()
  await field.fill('nenhum lugar')
  await expect(dialog.getByRole('status')).toBeVisible()
  await expect(dialog.getByRole('listitem')).toHaveCount(0)
  await field.fill('')
  await expect(offers('Depósito Norte')).toBeVisible()
  expect(asked.filter(Boolean)).toEqual(['of', 'nenhum lugar'])
  await offers('Oficina Sul').click()
  await expect(dialog).toContainText('Oficina Sul')
  await dialog.getByRole('button', { name: 'Enviar', exact: true }).click()
  await expect
    .poll(async () => (await phone.chat(number)).filter(one => one.mediaType === 'location').length)
    .toBe(1)
})
