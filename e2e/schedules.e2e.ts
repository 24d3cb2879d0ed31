import { schedules } from '@balcao/contract/schedules.ts'
import type { Page } from '@playwright/test'
import { bubbles, compose, inTouch } from './conversation.ts'
import { expectAccessible } from './people.ts'
import { expect, test } from './world.ts'

const PATH = '/schedules'

const rowOf = (page: Page, words: string) => page.getByRole('row').filter({ hasText: words })
const dialogOf = (page: Page) => page.getByRole('dialog')

test('a message is planned from the conversation, stands in the drawer, and leaves at its time [GEN-009, ROUTE-019, TSTATE-016, CONV-005, CONV-013, CONV-015, OP-04, SCHED-020, SCHED-033]', async ({
  people,
  phone,
  shop,
}) => {
  const { marina, number, name } = await inTouch(people, phone, 'Gilda')
  const helena = await people.admin({ at: PATH })
  await expect(helena.getByRole('heading', { level: 1 })).toBeVisible()
  await compose(marina).click()
  await marina.keyboard.press('Alt+5')
  await expect(dialogOf(marina).getByRole('combobox', { name: 'Contato' })).toHaveValue(name)
  await marina.keyboard.press('Escape')
  await expect(dialogOf(marina)).toBeHidden()

  await marina.keyboard.press('Alt+c')
  const drawer = marina.getByRole('complementary', { name: 'Contato' })
  await drawer.getByRole('button', { name: 'Adicionar Agendamento' }).click()
  await dialogOf(marina).getByLabel('Mensagem', { exact: true }).fill('Oi {{cliente}}, tudo pronto?')
  await expectAccessible(marina)
  await dialogOf(marina).getByRole('button', { name: 'Salvar' }).click()
  await expect(marina.getByText('Agendamento salvo com sucesso')).toBeVisible()
  await expect(drawer.getByRole('button', { name: /tudo pronto/ })).toBeVisible()
  // a colleague's list has it by push
  await expect(rowOf(helena, name).getByText('PENDENTE')).toBeVisible()

  const { call, user } = shop
  const { schedules: found } = await call(schedules.list, {
    query: { searchParam: 'tudo pronto', status: 'PENDENTE' },
  })
  const { id: scheduleId, contactId, body, queueId, whatsappId } = found[0]!
  await call(schedules.change, {
    params: { scheduleId, companyId: user.companyId },
    body: { contactId, body, queueId, whatsappId, sendAt: new Date(Date.now() - 1_000).toISOString() },
  })
  await expect(bubbles(marina).filter({ hasText: `Oi ${name}, tudo pronto?` })).toBeVisible()
  await expect
    .poll(async () => (await phone.chat(number)).filter(one => one.body.includes('tudo pronto')).length)
    .toBe(1)
  await expect(drawer.getByRole('button', { name: /tudo pronto/ })).toBeHidden()
  await expect(rowOf(helena, name)).toHaveCount(0)
  await helena.getByLabel('Status').selectOption('ENVIADA')
  await expect(rowOf(helena, name).getByText('ENVIADA')).toBeVisible()
})
