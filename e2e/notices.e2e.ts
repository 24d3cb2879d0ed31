import { connections } from '@balcao/contract/connections.ts'
import { simulator } from '@balcao/contract/simulator.ts'
import { callsOf } from './call.ts'
import { expectToLast, runUntil, stopClock } from './clock.ts'
import { inTouch, newNumber } from './conversation.ts'
import { expect, test } from './world.ts'

test('a contact is looked for from two letters on, when half a second went by; who attends him is told for 30 seconds, to himself for 9', async ({
  people,
  phone,
}) => {
  const { marina, name } = await inTouch(people, phone, 'Noemi')
  const caio = await people.loggedIn('caio@balcao.test')
  for (const page of [caio, marina]) {
    const asked: (string | null)[] = []
    page.on('request', request => {
      const { pathname, searchParams } = new URL(request.url())
      if (pathname === '/contacts') asked.push(searchParams.get('searchParam'))
    })
    await page.getByRole('button', { name: 'Novo atendimento' }).click()
    const dialog = page.getByRole('dialog')
    const field = dialog.getByRole('combobox', { name: 'Contato' })
    await stopClock(page)
    await field.fill('N')
    await page.clock.runFor(2_000)
    await field.fill('No')
    await page.clock.runFor(300)
    await field.fill(name.slice(0, 3))
    await page.clock.runFor(450)
    expect(asked).toEqual([])
    await page.clock.runFor(100)
    await expect.poll(() => asked).toEqual([name.slice(0, 3)])
    await field.fill(name)
    const option = dialog.getByRole('option', { name }).first()
    await runUntil(page, option)
    await option.click()
    await dialog.getByLabel('Fila').selectOption({ label: 'Vendas' })
    await dialog.getByRole('button', { name: 'Iniciar' }).click()
    if (page === caio) {
      const told = page.getByText(`Marina Duarte já atende este contato em Suporte`)
      await expectToLast(page, told, 30)
    } else await expectToLast(page, page.getByText('Você já tem um ticket aberto para este contato'), 9)
  }
})

test('a ticket whose connection is gone says so for 15 seconds and asks for another one', async ({
  people,
  world,
}) => {
  const { call } = await callsOf(world.url)
  const number = newNumber()
  const name = `Abel ${number.slice(-5)}`
  const body = { name: `Loja ${number}`, lib: 'simulator' } as const
  const params = { whatsappId: (await call(connections.create, { body })).id }
  await call(connections.start, { params })
  await call(simulator.write, { params, body: { number, name, body: 'Oi' } })
  const marina = await people.attendant()
  await marina.getByRole('tab', { name: /Aguardando/ }).click()
  const row = marina.locator('[data-ticket]').filter({ hasText: name })
  await expect(row).toBeVisible()
  await call(connections.remove, { params })
  await expect(row).not.toContainText(body.name)
  await stopClock(marina)
  await row.click()
  const told = marina.getByText('Transfira para uma conexão para atender este ticket')
  await expectToLast(marina, told, 15)
  await expect(marina.getByRole('dialog').getByLabel('Conexão')).toBeVisible()
})
