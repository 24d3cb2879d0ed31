import { newNumber } from './conversation.ts'
import { expectAccessible } from './people.ts'
import { expect, test } from './world.ts'

test('the operator reads what the connections heard, opens a row over the whole window, and has it handled again', async ({
  people,
  phone,
}) => {
  const master = await people.master({ at: '/messageLogs' })
  await expect(master.getByRole('table', { name: 'Logs de mensagens' }).getByRole('columnheader')).toHaveText(
    ['Data', 'Tempo gasto', 'Ticket', 'Contato e mensagem', 'Empresa', 'Conexão', 'Tipo', 'Texto', 'id'],
  )
  const number = newNumber()
  const id = await phone.write(number, 'isto fica no log', 'Lia do Log')
  const row = master.locator(`[data-log="${id}"]`)
  await expect(row).toContainText('isto fica no log')
  await row.getByText('isto fica no log').click()
  const detail = master.getByRole('dialog', { name: /^Logs de mensagens: \d+$/ })
  await expect(detail).toContainText(`"messageId": "${id}"`)
  expect(await detail.boundingBox()).toEqual({ x: 0, y: 0, ...master.viewportSize() })
  await expectAccessible(master)
  await detail.getByRole('button', { name: 'Reprocessar' }).click()
  await expect(master.getByText('Reprocessado', { exact: true })).toBeVisible()
  expect((await phone.chat(number)).map(({ body }) => body)).toEqual(['isto fica no log'])
  await detail.getByRole('button', { name: 'Voltar' }).click()
  await expect(detail).toBeHidden()

  const opener = row.getByRole('button')
  await opener.focus()
  await master.keyboard.press('Enter')
  await expect(detail).toBeVisible()
  await master.keyboard.press('Escape')
  await expect(detail).toBeHidden()
  await expect(opener).toBeFocused()
})

test('words and marks narrow the log; all of it is deleted only when asked again', async ({
  people,
  phone,
}) => {
  const master = await people.master({ at: '/messageLogs' })
  const number = newNumber()
  const id = await phone.write(number, 'a palavra é pitanga')
  const row = master.locator(`[data-log="${id}"]`)
  await expect(row).toBeVisible()
  await master.getByRole('textbox', { name: 'Buscar' }).fill('jambolão')
  await expect(master.getByText('Nada por aqui')).toBeVisible()
  await master.getByRole('textbox', { name: 'Buscar' }).fill('pitanga')
  await expect(row).toBeVisible()
  await master.getByRole('checkbox', { name: 'Aviso' }).check()
  await expect(row).toBeHidden()
  await master.getByRole('checkbox', { name: 'Aviso' }).uncheck()
  await expect(row).toBeVisible()
  await master.getByRole('button', { name: 'Excluir todos' }).click()
  const asked = master.getByRole('dialog', { name: 'Excluir todos os logs?' })
  await asked.getByRole('button', { name: 'Cancelar' }).click()
  await expect(row).toBeVisible()
  await master.getByRole('button', { name: 'Excluir todos' }).click()
  await asked.getByRole('button', { name: 'Excluir todos' }).click()
  await expect(row).toBeHidden()
  expect((await phone.chat(number)).map(({ body }) => body)).toEqual(['a palavra é pitanga'])
})
