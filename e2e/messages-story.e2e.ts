import { bubbles, compose, inTouch, newNumber } from './conversation.ts'
import { expectAccessible, inTheDark } from './people.ts'
import { expect, test } from './world.ts'

test('every outgoing bubble says who wrote it, and what happened to the ticket stands between them', async ({
  people,
  phone,
}) => {
  const { marina, number, name } = await inTouch(people, phone)
  await compose(marina).fill('Pois não?')
  await marina.keyboard.press('Enter')
  const mine = bubbles(marina).filter({ hasText: 'Pois não?' })
  await expect(mine).toContainText('Você')
  await expect(marina.getByRole('log')).toContainText(/Você aceitou o atendimento · \d\d:\d\d/)
  const helena = await people.admin()
  await inTheDark(helena)
  await helena.goto(marina.url())
  await expect(helena.getByRole('region', { name: `Conversa com ${name}` })).toBeVisible()
  await expect(bubbles(helena).filter({ hasText: 'Pois não?' })).toContainText('Marina Duarte')
  await expect(helena.getByRole('log')).toContainText('Marina Duarte aceitou o atendimento')
  // heard live by whoever looks
  await marina.getByRole('button', { name: 'Resolver' }).first().click()
  await expect(helena.getByRole('log')).toContainText('Marina Duarte resolveu o atendimento')
  await expect(helena.getByText(`+55 31 ${number.slice(4, 9)}-${number.slice(9)}`)).toBeVisible()
  await expectAccessible(helena)
})

test('a conversation opens at what was not seen, under a line that counts it; the way back is a button', async ({
  people,
  phone,
}) => {
  const { marina, number, name } = await inTouch(people, phone)
  for (let at = 0; at < 8; at++) await phone.write(number, `antes ${at}\n`.repeat(4))
  await expect(bubbles(marina).filter({ hasText: 'antes 7' })).toBeVisible()
  await marina.goto('/connections')
  for (let at = 0; at < 12; at++) await phone.write(number, `nova ${at}\n`.repeat(4))
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

test('an old hit is shown with those around it by one request, and from there one reads on to the newest', async ({
  people,
  phone,
}) => {
  test.slow()
  const { marina, number } = await inTouch(people, phone)
  await phone.write(number, 'a palavra é jabuticaba')
  await Promise.all(Array.from({ length: 85 }, (_, at) => phone.write(number, `linha ${at}`)))
  await expect.poll(async () => (await phone.chat(number)).length).toBeGreaterThan(85)
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
  // said while one looks at an old place: counted, not shown
  await phone.write(number, 'agora mesmo')
  await expect(marina.getByRole('button', { name: '1 mensagem nova' })).toBeVisible()
  await marina.getByRole('button', { name: '1 mensagem nova' }).click()
  await expect(bubbles(marina).filter({ hasText: 'agora mesmo' })).toBeInViewport()
})

test('on a phone Enter makes a line, a held message opens its menu, and nothing takes the focus on opening', async ({
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
  await marina.locator('[data-ticket]').filter({ hasText: name }).tap()
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
  await expectAccessible(marina)
})
