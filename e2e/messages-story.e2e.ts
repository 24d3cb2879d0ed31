import { messages } from '@balcao/contract/messages.ts'
import { bubbles, compose, inTouch, newNumber } from './conversation.ts'
import { expectAccessible } from './people.ts'
import { expect, test } from './world.ts'

test('a conversation opens at what was not seen, under a line that counts it; the way back is a button', async ({
  people,
  phone,
  shop,
}) => {
  const { marina, number, name } = await inTouch(people, phone)
  for (let at = 0; at < 8; at++) await phone.write(number, `antes ${at}\n`.repeat(4))
  await expect(bubbles(marina).filter({ hasText: 'antes 7' })).toBeVisible()
  // a call that marks as read and is still on its way would also mark what comes next
  const params = { ticketId: Number(marina.url().split('/').at(-1)) }
  const received = async () =>
    (await shop.call(messages.list, { params })).messages.filter(one => !one.fromMe)
  await expect.poll(async () => (await received()).every(one => one.read)).toBe(true)
  await marina.goto('/connections')
  for (let at = 0; at < 12; at++) await phone.write(number, `nova ${at}\n`.repeat(4))
  await expect.poll(async () => (await received()).filter(one => !one.read).length).toBe(12)
  await marina.goto('/tickets')
  await marina.getByRole('tab', { name: /Atendendo/ }).click()
  await marina.locator('[data-ticket]').filter({ hasText: name }).click()
  const line = marina.getByText('12 mensagens novas')
  await expect(line).toBeInViewport()
  await expect(bubbles(marina).filter({ hasText: 'nova 0' })).toBeInViewport()
  await expect(bubbles(marina).filter({ hasText: 'nova 11' })).not.toBeInViewport()
  await expectAccessible(marina)
  await marina.getByRole('button', { name: 'Ir para a mais nova' }).click()
  await expect(bubbles(marina).filter({ hasText: 'nova 11' })).toBeInViewport()
  await expect(line).toBeAttached()
  await compose(marina).fill('Já vi')
  await marina.keyboard.press('Enter')
  await expect(line).toHaveCount(0)
})

test('an old hit is shown with those around it by one request, and from there one reads on to the newest [CONV-004]', async ({
  people,
  phone,
  shop,
}) => {
  test.slow()
  const { marina, number } = await inTouch(people, phone)
  await phone.write(number, 'a palavra é jabuticaba')
  await Promise.all(Array.from({ length: 85 }, (_, at) => phone.write(number, `linha ${at}`)))
  const params = { ticketId: Number(marina.url().split('/').at(-1)) }
  const third = () => shop.call(messages.list, { params, query: { pageNumber: 3 } })
  await expect.poll(async () => (await third()).messages.length).toBe(7)
  await marina.reload()
  await expect(bubbles(marina).first()).toBeVisible()
  let asked = 0
  marina.on('request', request => {
    if (/\/messages\/\d+\?/.test(request.url()) && !/searchTerm/.test(request.url())) asked++
  })
  await marina.getByRole('button', { name: 'Buscar nesta conversa' }).click()
  await marina.getByRole('textbox', { name: 'Buscar nesta conversa' }).fill('jabuticaba')
  await marina.getByRole('search').getByRole('button', { name: 'Buscar', exact: true }).click()
  await marina.getByRole('list', { name: 'Mensagens encontradas' }).getByRole('button').first().click()
  await expect(bubbles(marina).filter({ hasText: 'jabuticaba' })).toBeInViewport()
  await expect(bubbles(marina).filter({ hasText: 'jabuticaba' })).toHaveAttribute('data-sought', '')
  expect(asked).toBeLessThanOrEqual(2)
  // received while an old position is shown: counted, not shown
  await phone.write(number, 'agora mesmo')
  await expect(marina.getByRole('button', { name: '1 mensagem nova' })).toBeVisible()
  await marina.getByRole('button', { name: '1 mensagem nova' }).click()
  await expect(bubbles(marina).filter({ hasText: 'agora mesmo' })).toBeInViewport()
})

test('on a phone a finger on the edge of a waiting ticket opens it; Enter makes a line, a held message opens its menu, and nothing takes the focus on opening [SHELL-003, TICKET-002]', async ({
  people,
  phone,
}) => {
  const marina = await people.attendant({
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
  })
  const number = newNumber()
  const name = `Telma ${number.slice(-5)}`
  await phone.write(number, 'Olá!', name)
  await marina.getByRole('tab', { name: /Aguardando/ }).tap()
  const row = marina.locator('[data-ticket]').filter({ hasText: name })
  const { width } = (await row.boundingBox())!
  await row.tap({ position: { x: width - 20, y: 16 } })
  await expect(marina.getByRole('button', { name: 'Voltar para a lista' })).toBeVisible()
  await marina.getByRole('button', { name: 'Aceitar' }).first().tap()
  await marina.getByRole('dialog').getByLabel('Fila').selectOption({ label: 'Suporte' })
  await marina.getByRole('dialog').getByRole('button', { name: 'Iniciar' }).tap()
  await expect(compose(marina)).toBeVisible()
  await expect(compose(marina)).not.toBeFocused()
  await compose(marina).fill('linha um')
  await marina.keyboard.press('Enter')
  await marina.keyboard.type('linha dois')
  await expect(compose(marina)).toHaveValue('linha um\nlinha dois')
  const theirs = bubbles(marina).filter({ hasText: 'Olá!' })
  const box = (await theirs.boundingBox())!
  const touch = { clientX: box.x + 20, clientY: box.y + 20, pointerType: 'touch', bubbles: true }
  await theirs.dispatchEvent('pointerdown', touch)
  await expect(marina.getByRole('menu', { name: 'Ações da mensagem' })).toBeVisible()
  await theirs.dispatchEvent('pointerup', touch)
  await marina.keyboard.press('Escape')
  await expect(marina.getByRole('menu')).toHaveCount(0)
})
