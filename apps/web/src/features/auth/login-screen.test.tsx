import { auth } from '@balcao/contract/auth.ts'
import { expect, test } from 'vitest'
import { counter, ticketOf } from '../../../testing/counter.ts'
import { enter, lead } from '../../../testing/page.tsx'
import { helena, marina, sessionOf } from '../../../testing/people.ts'
import { refuse } from '../../../testing/server.ts'

test('a refusal of the login stands at its form, which stays; the button of the password says what it does [AUTH-003]', async () => {
  const page = enter('/login', null, {
    answers: server => server.on(auth.login, () => refuse(401, 'ERR_INVALID_CREDENTIALS')),
  })
  await page.fill('E-mail', 'ninguem@balcao.test')
  await page.fill('Senha', 'errada')
  await page.press('Mostrar senha')
  await page.find('button', 'Ocultar senha')
  await page.press('Acessar')
  expect(await page.find('alert')).toHaveTextContent('E-mail ou senha incorretos')
  expect(await page.field('E-mail')).toHaveValue('ninguem@balcao.test')
})

test('a private page leads to the login and back to where one wanted to go; the language is chosen there [AUTH-001, AUTH-002, AUTH-004, ROUTE-001, ROUTE-012, ROUTE-052, ROLE-008, OP-48]', async () => {
  const page = enter('/quickAnswers', null, { answers: server => server.on(auth.login, sessionOf(helena)) })
  await expect.poll(() => location.pathname).toBe('/login')
  await page.choose('Idioma', 'Español')
  await page.field('Contraseña')
  await page.choose('Idioma', 'Português')
  await page.fill('E-mail', 'admin@balcao.test')
  await page.fill('Senha', 'balcao-demo')
  await page.press('Acessar')
  await expect.poll(() => location.pathname).toBe('/quickAnswers')
})

test('whoever signs up names company and person apart, is told what is too short as he writes, and is logged in afterwards [AUTH-007, ROUTE-009, TICKET-005, TICKET-026]', async () => {
  const page = enter('/signup', null, {
    answers: server =>
      server
        .on(auth.signup, ({ body }) => ({ id: 9, name: body.name, email: body.email }))
        .on(auth.login, sessionOf(helena)),
  })
  expect(await page.field('Empresa')).toHaveFocus()
  await page.lacks('Obrigatório')
  await page.fill('Nome', 'N')
  await page.fill('E-mail', 'dona@mercearia.test')
  await page.sees('Too Short!')
  await page.fill('Nome', 'Dona Lia')
  await page.fill('Senha', 'segredo1')
  await page.press('Criar conta')
  await page.sees('Obrigatório')
  await page.fill('Empresa', 'Mercearia da Dona')
  await page.press('Criar conta')
  await page.sees('Conta criada com sucesso')
  expect(page.server.asked(auth.signup)[0]!.body).toMatchObject({
    companyName: 'Mercearia da Dona',
    name: 'Dona Lia',
  })
  await expect.poll(() => location.pathname).toBe('/tickets')
})

test('where the login after a sign-up fails, its form stands with the e-mail [AUTH-009]', async () => {
  const page = enter('/signup', null, {
    answers: server =>
      server
        .on(auth.signup, ({ body }) => ({ id: 9, name: body.name, email: body.email }))
        .on(auth.login, () => refuse(429, 'ERR_TOO_MANY_REQUESTS')),
  })
  await page.fill('Empresa', 'Mercearia da Dona')
  await page.fill('Nome', 'Dona Lia')
  await page.fill('E-mail', 'dona@mercearia.test')
  await page.fill('Senha', 'segredo1')
  await page.press('Criar conta')
  await page.sees('Conta criada com sucesso. Entre para começar')
  await expect.poll(() => location.pathname).toBe('/login')
  expect(await page.field('E-mail')).toHaveValue('dona@mercearia.test')
})

test('who is logged in has no login, and is led to the tickets', async () => {
  enter('/login', marina)
  await expect.poll(() => location.pathname).toBe('/tickets')
})

test('whoever logs in after another in the same tab finds nothing of his: chosen files, notices, what he answered', async () => {
  const nora = ticketOf('Nora Lima', {}, marina)
  const here = counter(nora)
  const page = enter('/tickets/41', marina, {
    answers: server => here.answers(server).on(auth.logout, {}).on(auth.login, sessionOf(helena)),
  })
  await page.sees('Olá!')
  await page.give(new File(['%PDF-1.7'], 'boleto.pdf', { type: 'application/pdf' }))
  await page.press('Responder')
  await page.sees('boleto.pdf', 'Respondendo a Nora Lima')
  here.moves(page.server, { userId: 4, user: { id: 4, name: 'Caio' } })
  here.moves(
    page.server,
    { userId: 3, user: { id: 3, name: 'Marina Duarte' } },
    { transf: true, transferredBy: { id: 4, name: 'Caio Prado' } },
  )
  await page.sees('Caio Prado')
  await page.press('Conta de')
  await page.press('Logout')
  await page.dialog('Sair com algo não enviado?').press('Guardar e sair')
  await page.fill('E-mail', 'admin@balcao.test')
  await page.lacks('Caio Prado')
  await page.fill('Senha', 'balcao-demo')
  await page.press('Acessar')
  await page.find('tab', /Atendendo/)
  await lead('/tickets/41')
  await page.field('Escreva uma mensagem')
  await page.lacks('boleto.pdf', 'Respondendo a Nora Lima', 'Caio Prado')
})
