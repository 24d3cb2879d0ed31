import { accounts, OwnSession } from '@balcao/contract/accounts.ts'
import { type User, users } from '@balcao/contract/users.ts'
import { expect, test } from 'vitest'
import { enter, lead } from '../../../testing/page.tsx'
import { marina } from '../../../testing/people.ts'
import { samples } from '../../../testing/samples.ts'
import { refuse } from '../../../testing/server.ts'

const linux =
  'Mozilla/5.0 (X11; Linux x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36'
const uuid = (last: number) => `00000000-0000-4000-8000-00000000000${last}`

test('a forgotten password is asked for in the same words whether one has an account or not; by the link a new one is set', async () => {
  const page = enter('/login', null, {
    answers: server =>
      server.on(accounts.forgot, {}).on(accounts.reset, ({ body }) => {
        expect(body.token).toBe('abc')
        return { email: 'caio@balcao.test' }
      }),
  })
  await page.press('Esqueci minha senha')
  await page.fill('E-mail', 'ninguem@balcao.test')
  await page.press('Enviar link')
  await page.sees('Se este e-mail tem uma conta')
  await lead('/reset#abc')
  await page.fill('Nova senha', 'outra-senha')
  await page.user.keyboard('{Enter}')
  await page.sees('Senha alterada')
  await expect.poll(() => location.pathname).toBe('/login')
})

test('in the own profile one changes password and e-mail by the old password, and ends sessions', async () => {
  let here = samples(OwnSession, [
    { id: uuid(1), userAgent: linux, isCurrent: true },
    { id: uuid(2), userAgent: linux },
  ])
  const page = enter('/tickets', marina, {
    answers: server =>
      server
        .on(accounts.sessions, () => here)
        .on(accounts.endOtherSessions, () => {
          here = here.slice(0, 1)
          return {}
        })
        .on(accounts.changePassword, ({ body }) =>
          body.oldPassword === 'balcao-demo'
            ? {}
            : refuse(400, 'ERR_WRONG_PASSWORD', { field: 'oldPassword' }),
        )
        .on(accounts.changeEmail, { isChanged: false }),
  })
  await page.press('Marina Duarte')
  await page.press('Perfil')
  const dialog = page.dialog()
  await dialog.press('Sessões')
  await dialog.sees('Esta sessão', 'Chrome em Linux')
  expect(dialog.words('listitem')).toHaveLength(2)
  await dialog.press('Encerrar todas as outras')
  await expect.poll(() => dialog.words('listitem').length).toBe(1)

  await dialog.press('Acesso')
  const change = dialog.part('form', 'Alterar senha')
  await change.fill('Senha atual', 'errada')
  await change.fill('Nova senha', 'minha-senha')
  await change.press('Alterar senha')
  await change.sees('Esta não é a sua senha atual')
  // what programs call with ends too, unless it is kept
  expect(page.server.asked(accounts.changePassword).at(-1)?.body.endSecrets).toBe(true)
  await change.press(/Encerrar também meus tokens/)
  await change.fill('Senha atual', 'balcao-demo')
  await change.press('Alterar senha')
  await page.sees('Senha alterada')
  expect(page.server.asked(accounts.changePassword).at(-1)?.body.endSecrets).toBe(false)
  const address = dialog.part('form', 'Alterar e-mail')
  await address.fill('Novo e-mail', 'nova@balcao.test')
  await address.fill('Senha atual', 'minha-senha')
  await address.press('Alterar e-mail')
  await page.sees('Enviamos um link a nova@balcao.test')
})

test('a new address is confirmed by its link, and a link that is spent says so', async () => {
  const page = enter('/email#abc', marina, {
    answers: server => server.on(accounts.confirmEmail, { email: 'nova@balcao.test' }),
  })
  await page.press('Confirmar e-mail')
  await page.sees('Agora você entra com nova@balcao.test')
  expect(page.server.asked(accounts.confirmEmail)[0]?.body).toEqual({ token: 'abc' })
})

test('a link to a new address that is spent says so', async () => {
  const page = enter('/email#abc', marina, {
    answers: server => server.on(accounts.confirmEmail, () => refuse(410, 'ERR_LINK_OVER')),
  })
  await page.press('Confirmar e-mail')
  expect(await page.find('alert')).toHaveTextContent('Este link não vale mais')
})

test('each user writes the farewell that is sent when they resolve', async () => {
  const page = enter('/tickets', marina, {
    answers: server => server.on(users.change, ({ body }) => ({ ...marina, ...(body as Partial<User>) })),
  })
  await page.press(/Marina/)
  await page.press('Perfil')
  const dialog = page.dialog('Meu perfil')
  await dialog.fill('Mensagem de despedida', 'Até logo, {{cliente}}')
  await dialog.press('Salvar')
  await page.sees('Salvo com sucesso')
  expect(page.server.asked(users.change).at(-1)?.body).toMatchObject({
    farewellMessage: 'Até logo, {{cliente}}',
  })
})
