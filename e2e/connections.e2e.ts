import { newNumber } from './conversation.ts'
import { expectAccessible } from './people.ts'
import { accept, addConnection, codeOf, expect, rowOf, test } from './whatsapp.ts'

test('a number is connected by the last of its QR codes; a customer’s encrypted message is answered and its receipts turn the marks; a device removed on the phone is shown as disconnected, without a loop (CONN-012) [CONN-004, CONN-005, CONN-012, CONN-013, CONN-015, OP-43]', async ({
  people,
  whatsapp,
}) => {
  const helena = await people.admin()
  const shop = newNumber()
  const owner = await whatsapp.addPhone(shop, { name: 'Lume Pituba' })
  const row = rowOf(helena, 'Loja Pituba')
  await addConnection(helena, 'Loja Pituba')
  const first = await codeOf(helena)
  await expectAccessible(helena)
  // the dialog shows each new code as it arrives: WhatsApp’s next one, and a requested one
  const shown = () => helena.locator('[data-qr]').getAttribute('data-qr', { timeout: 1_000 })
  const another = async (...before: string[]) => {
    await expect.poll(async () => !before.includes((await shown().catch(() => null)) ?? first)).toBe(true)
    return (await shown())!
  }
  whatsapp.dropSockets()
  const second = await another(first)
  await helena.getByRole('dialog').getByRole('button', { name: 'Novo QR Code' }).click()
  await owner.scan(await another(first, second))
  await expect(helena.getByRole('dialog')).toBeHidden()
  await expect(row).toContainText('Conectada')
  await expect(row).toContainText(`+55 ${shop.slice(2, 4)} ${shop.slice(4, 9)}-${shop.slice(9)}`)

  const marina = await people.attendant()
  const renata = await whatsapp.addPhone(newNumber(), { name: 'Renata Vasconcelos' })
  await renata.write(shop, 'Meu sofá chegou com a cor errada')
  await accept(marina, 'Renata Vasconcelos', 'Meu sofá chegou com a cor errada')
  await marina.getByLabel('Escreva uma mensagem').fill('Vamos trocar, Renata.')
  await marina.keyboard.press('Enter')
  const bubble = marina.locator('article', { hasText: 'Vamos trocar' })
  await expect.poll(() => renata.received().map(received => received.text)).toContain('Vamos trocar, Renata.')
  await expect(bubble.locator('[data-ack="3"]')).toBeVisible()
  await renata.read(...renata.received().map(received => received.id))
  await expect(bubble.locator('[data-ack="4"]')).toBeVisible()
  expect(whatsapp.unknown).toEqual([])

  await owner.unlink()
  await expect(row).toContainText('Desconectada')
  await expect(row.getByRole('button', { name: 'Novo QR Code' })).toBeVisible()
  await row.getByRole('button', { name: 'Tentar novamente' }).click()
  await expect(row).not.toContainText('Desconectada')
})

test('a number is connected by a code to type', async ({ people, whatsapp }) => {
  const helena = await people.admin()
  const number = newNumber()
  const owner = await whatsapp.addPhone(number, { name: 'Lume Corporativo' })
  await addConnection(helena, 'Corporativo')
  await codeOf(helena)
  await helena
    .getByLabel(/Use um código/)
    .fill(`+55 ${number.slice(2, 4)} ${number.slice(4, 9)}-${number.slice(9)}`)
  await helena.getByRole('button', { name: 'Gerar código' }).click()
  const code = helena.locator('[data-pairing-code]')
  await expect(code).toBeVisible()
  await owner.enterCode((await code.getAttribute('data-pairing-code'))!)
  await expect(rowOf(helena, 'Corporativo')).toContainText('Conectada')
})
