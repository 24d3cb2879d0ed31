import { Invitation, invitations } from '@balcao/contract/invitations.ts'
import { permissions, UserAuthorization } from '@balcao/contract/permissions.ts'
import { expect, test } from 'vitest'
import { enter, lead } from '../../../testing/page.tsx'
import { butWith, helena, marina, sessionOf } from '../../../testing/people.ts'
import { sample, samples } from '../../../testing/samples.ts'
import { refuse } from '../../../testing/server.ts'

const john = sample(Invitation, {
  id: 4,
  email: 'john@loja.test',
  delivery: 'sent',
  expiresAt: '2030-01-01T00:00:00.000Z',
})

test('an invitation needs a group; it is sent again and withdrawn', async () => {
  let here = [john]
  const page = enter('/invitations', helena, {
    answers: server =>
      server
        .on(permissions.list, {
          userAuthorizations: samples(UserAuthorization, [{ id: 1, name: 'Operacionais' }]),
          hasMore: false,
        })
        .on(invitations.list, () => here)
        .on(invitations.resend, { invitation: john, link: null })
        .on(invitations.withdraw, () => {
          here = []
          return {}
        }),
  })
  await page.row('john@loja.test').sees('Enviado')
  await page.press('Convidar')
  const dialog = page.dialog()
  await expect.poll(() => document.activeElement?.getAttribute('type')).toBe('email')
  await dialog.press('Salvar')
  await page.sees('Defina o grupo de permissões')
  await dialog.press('Cancelar')
  await page.press('Enviar de novo a john@loja.test')
  await expect.poll(() => page.server.asked(invitations.resend).length).toBe(1)
  await page.press('Cancelar o convite de john@loja.test')
  await page.dialog().press('Cancelar convite')
  await expect.poll(() => page.words('row').filter(row => row.includes('john'))).toEqual([])
})

test('an invitation is read in the language of the browser, and accepted with a name and a password', async () => {
  const page = enter('/login', null, {
    answers: server =>
      server
        .on(invitations.look, {
          companyName: 'Lume Móveis',
          email: 'john@loja.test',
          name: '',
          invitedBy: 'Helena Prado',
        })
        .on(invitations.accept, sessionOf(butWith(marina, { email: 'john@loja.test' }))),
  })
  const read = (title: string) => page.find('heading', title)
  await lead('/invitation#abc')
  await page.sees('Helena Prado convidou você para Lume Móveis, com o e-mail john@loja.test.')
  await read('Entre para a equipe')
  expect(await page.field('Nome')).toHaveFocus()
  await page.fill('Nome', 'John Reis')
  await page.fill('Crie uma senha', 'abc')
  await page.user.keyboard('{Enter}')
  await page.sees('Too Short!')
  await page.fill('Crie uma senha', 'balcao-demo')
  await page.press('Aceitar convite')
  await expect.poll(() => location.pathname).toBe('/tickets')
})

test('an invitation that is withdrawn says that it is worth nothing any more, in three languages', async () => {
  const page = enter('/login', null, {
    answers: server => server.on(invitations.look, () => refuse(404, 'ERR_NOT_FOUND')),
  })
  await page.choose('Idioma', 'English')
  await lead('/invitation#abc')
  await page.sees('no longer valid')
})
