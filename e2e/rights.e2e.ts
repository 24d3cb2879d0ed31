import { permissions } from '@balcao/contract/permissions.ts'
import { users } from '@balcao/contract/users.ts'
import { newNumber, say, sentBy } from './conversation.ts'
import { PASSWORD } from './people.ts'
import { expect, test } from './world.ts'

test('what a group takes away is not on the screen: greeting, signature, the way into a waiting ticket; given back, it is there at once [SHELL-008, SHELL-009, MENU-004, TSTATE-036]', async ({
  people,
  phone,
  shop,
}) => {
  const { call, user: helena } = shop
  const number = newNumber()
  const name = `Ester ${number.slice(-5)}`
  const group = { name: `Restritos ${number}`, disableGreeting: true, disableSignature: true }
  const { id: authorizationId } = await call(permissions.create, {
    body: { ...group, allowViewPendingTickets: false },
  })
  const email = `rute${number}@balcao.test`
  await call(users.create, {
    body: {
      ...{ name: 'Rute Reis', email, password: PASSWORD, profile: 'user' },
      ...{ queueIds: helena.queueIds, whatsappId: phone.whatsappId, userAuthorizationId: authorizationId },
    },
  })
  await phone.write(number, 'Alguém aí?', name)
  await phone.write(newNumber(), 'Eu também', 'Outra que espera')

  const rute = await people.loggedIn(email)
  const place = rute.getByRole('listitem').filter({ hasText: name })
  const switchOf = (label: string) => rute.getByRole('switch', { name: label })
  await rute.getByRole('tab', { name: /Aguardando/ }).click()
  await expect(place).toBeVisible()
  await expect(place.getByRole('link')).toHaveCount(0)
  await rute.goto('/kanban')
  const closed = rute.getByRole('article').filter({ hasNot: rute.getByRole('link') })
  await closed.first().locator('[data-ticket]').focus()
  for (const key of ['ArrowDown', 'ArrowUp', 'Space']) await rute.keyboard.press(key)
  await expect(rute.getByRole('dialog', { name: /^Mover / })).toBeVisible()
  await rute.goto('/tickets')
  await rute.getByRole('tab', { name: /Aguardando/ }).click()
  await place.click()
  await place.getByRole('button', { name: 'Aceitar' }).click()
  await rute.getByRole('dialog').getByLabel('Fila').selectOption({ label: 'Suporte' })
  await rute.getByRole('dialog').getByRole('button', { name: 'Iniciar' }).click()
  await say(rute, 'Estou aqui')
  await expect.poll(() => sentBy(phone, number)).toEqual(['Estou aqui'])
  await expect(switchOf('Saudação')).toHaveCount(0)
  await expect(switchOf('Assinar')).toHaveCount(0)
  // the entry of the menu covers the lists and their details
  await expect(rute).toHaveURL(/tickets\/\d+$/)
  await expect(rute.getByRole('link', { name: 'Atendimentos' })).toHaveAttribute('aria-current', 'page')

  await call(permissions.change, {
    params: { authorizationId },
    body: { ...group, disableGreeting: false, disableSignature: false, allowViewPendingTickets: true },
  })
  await expect(switchOf('Saudação')).toBeVisible()
  await expect(switchOf('Assinar')).toBeVisible()
  await switchOf('Assinar').click()
  await expect(switchOf('Assinar')).toBeChecked()
  await rute.reload()
  await expect(switchOf('Assinar')).toBeChecked()
  await say(rute, 'Com meu nome')
  await expect.poll(async () => (await sentBy(phone, number)).at(-1)).toContain('Rute Reis')
  await rute.getByRole('tab', { name: /Aguardando/ }).click()
  await rute.getByRole('listitem').getByRole('link').first().click()
  await expect(rute.getByRole('region', { name: /^Conversa com / })).not.toHaveAccessibleName(
    `Conversa com ${name}`,
  )
})
