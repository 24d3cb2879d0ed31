import { compose, inTouch } from './conversation.ts'
import { expectAccessible } from './people.ts'
import { expect, test } from './world.ts'

test('a text that begins with a slash is answered from the list, with the customer’s name in its place', async ({
  people,
  phone,
}) => {
  const { marina, number, name } = await inTouch(people, phone, 'Renata')
  const list = marina.getByRole('listbox', { name: 'Respostas rápidas' })
  await compose(marina).pressSequentially('/ent')
  await expect(list.getByRole('option').first()).toContainText(`/entregaOi, ${name}!`)
  await expect(list.getByRole('option').nth(1)).toContainText('/entregaok')
  await expect(list.getByRole('option').first()).toHaveAttribute('aria-selected', 'true')
  await expectAccessible(marina)

  await marina.keyboard.press('ArrowDown')
  await expect(list.getByRole('option').nth(1)).toHaveAttribute('aria-selected', 'true')
  await marina.keyboard.press('ArrowUp')
  await marina.keyboard.press('Enter')
  await expect(list).toBeHidden()
  await expect(compose(marina)).toHaveValue(
    `Oi, ${name}! Sua entrega está marcada. A equipe liga meia hora antes de chegar.`,
  )
  await marina.keyboard.press('Enter')
  await expect.poll(async () => (await phone.chat(number)).at(-1)?.body).toContain(`Oi, ${name}! Sua entrega`)

  await marina.getByRole('button', { name: 'Respostas rápidas' }).click()
  await expect(list.getByRole('option').nth(6)).toBeAttached()
  await marina.keyboard.press('Escape')
  await expect(list).toBeHidden()
  await expect(compose(marina)).toHaveValue('/')
  await compose(marina).fill('')
  await compose(marina).fill('/pix')
  await list.getByRole('option').first().click()
  await expect(compose(marina)).toHaveValue(/^Pagando por Pix/)
})

test('a search that fails closes the list without a word', async ({ people, phone }) => {
  const { marina, number } = await inTouch(people, phone, 'Saulo')
  const list = marina.getByRole('listbox', { name: 'Respostas rápidas' })
  await marina.route('**/quickAnswers?*', route => route.fulfill({ status: 400, json: {} }))
  await compose(marina).fill('/preço')
  // while the search is under way Enter waits for what it brings
  await expect(async () => {
    await marina.keyboard.press('Enter')
    await expect(compose(marina)).toHaveValue('', { timeout: 500 })
  }).toPass()
  await expect.poll(async () => (await phone.chat(number)).at(-1)?.body).toContain('/preço')
  await expect(list).toBeHidden()
  await expect(marina.getByRole('alert')).toHaveCount(0)
})
