import { once } from 'node:events'
import { createServer } from 'node:http'
import { billing } from '@balcao/contract/billing.ts'
import { clients } from '@balcao/contract/clients.ts'
import { daysFrom } from '@balcao/contract/invoices.rules.ts'
import { invoices } from '@balcao/contract/invoices.ts'
import { plans } from '@balcao/contract/plans.ts'
import type { Page } from '@playwright/test'
import { callsOf } from './call.ts'
import { office } from './office.ts'
import { expectAccessible, inTheDark } from './people.ts'
import { portOf } from './served.ts'
import { test as base, expect } from './world.ts'

const HANGS = '12ABC34501DE35'
const KNOWN = '11222333000181'

/** A register of companies on this machine, which never answers for one of them. */
const test = base.extend<{ register: { asked: string[] } }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names it must give from here
  register: async ({}, use) => {
    const asked: string[] = []
    const server = createServer((request, response) => {
      asked.push(request.url!)
      if (request.url!.includes(HANGS)) return
      if (!request.url!.includes(KNOWN)) return void response.writeHead(200).end('<html>')
      response.end(JSON.stringify(ofKnown))
    }).listen(portOf('register'), '127.0.0.1')
    await once(server, 'listening')
    await use({ asked })
    server.closeAllConnections()
    server.close()
  },
})

const ofKnown = {
  ...{ nome: 'LOJA DA ANA LTDA', fantasia: 'Loja da Ana', cep: '01310-100', logradouro: 'Av. Paulista' },
  ...{ numero: '1578', complemento: '', bairro: 'Bela Vista', municipio: 'São Paulo', uf: 'SP' },
}

const phone = { viewport: { width: 390, height: 780 } }
const start = (page: Page) => page.getByRole('button', { name: 'Iniciar teste gratis' })
const finish = (page: Page) => page.getByRole('button', { name: 'Concluir cadastro' })
const text = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true })
const noScroll = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth)

test('a prospect on a phone chooses a period, gets the letter, completes the sign-up and logs in (LEAD-001 … LEAD-021) [GEN-023, GEN-027, ROUTE-006 … ROUTE-007, ERR-008, COMPANY-013, OP-55, OP-119, LEAD-001 … LEAD-007, LEAD-008, LEAD-010 … LEAD-012, LEAD-015, LEAD-017 … LEAD-018]', async ({
  people,
  register,
  world,
}) => {
  const ana = await people.visitor(phone)
  await ana.goto('/store')
  await expect(ana.getByRole('heading', { level: 1 })).toHaveText('Estamos quase lá! Conclua seu cadastro')
  await expect(ana.getByRole('link', { name: 'Voltar ao site' })).toBeVisible()
  // the plan the operator highlights comes first; another one is chosen
  await expect(ana.getByRole('radio', { name: /Profissional/ })).toBeChecked()
  await ana.getByRole('radio', { name: /Essencial/ }).check()
  const plan = ana.getByRole('region', { name: 'Seu plano' })
  await expect(plan.getByText('3 atendentes')).toBeVisible()
  const periods = ana.getByRole('group', { name: 'Período de pagamento' })
  await expect(periods.getByRole('radio')).toHaveCount(4)
  await expect(periods.getByRole('radio', { name: /3 meses/ })).toBeChecked()
  await periods.getByRole('radio', { name: /3 meses/ }).focus()
  await ana.keyboard.press('ArrowRight')
  await expect(
    periods.getByRole('radio', { name: /6 meses.*16% de desconto.*R\$ 74,00 por mês/ }),
  ).toBeChecked()
  expect(await noScroll(ana)).toBe(true)

  await start(ana).click()
  for (const said of ['Digite e Nome', 'Digite um email', 'Obrigatório'])
    await expect(ana.getByText(said, { exact: true })).toBeVisible()
  await text(ana, 'Nome').fill('Ana Prado')
  await text(ana, 'Número de WhatsApp').fill('99-0000')
  await text(ana, 'E-mail').fill('ana@')
  await start(ana).click()
  for (const said of ['Email Invalido', 'Digite o número com DDD; de outro país, com + e o código'])
    await expect(ana.getByText(said, { exact: true })).toBeVisible()
  const email = `ana${Date.now()}@loja.test`
  await text(ana, 'Número de WhatsApp').fill('(11) 99999-0001')
  await text(ana, 'E-mail').fill(email)
  await start(ana).click()
  await expect(ana.getByText('Você recebera um email para concluir o cadastro')).toBeVisible()
  const mailedAt = Date.now()
  await ana.waitForURL('**/login')
  expect(Date.now() - mailedAt).toBeGreaterThan(1_000)

  const letter = await office.letterTo(email)
  const address = /https:\/\/balcao\.test(\/subscription\/[\w-]+)/.exec(letter.text)![1]!
  await inTheDark(ana)
  await ana.goto(address)
  await expect(ana.getByText(`O acesso vai para ${email}.`)).toBeVisible()
  await expect(ana.getByRole('region', { name: 'Seu plano' })).toContainText('6 meses · R$ 74,00 por mês')
  await finish(ana).click()
  await expect(ana.getByText('Nome é obrigatório')).toBeVisible()
  // a register that hangs does not block typing
  await text(ana, 'CPF ou CNPJ').fill(HANGS)
  await text(ana, 'Nome da empresa').fill('Loja')
  await text(ana, 'Cidade').fill('Santos')
  await expect.poll(() => register.asked.some(path => path.includes(HANGS))).toBe(true)
  await text(ana, 'Nome da empresa').fill('')
  await text(ana, 'CPF ou CNPJ').fill(KNOWN)
  await text(ana, 'Razão social').focus()
  await expect(text(ana, 'Nome da empresa')).toHaveValue('Loja da Ana')
  await expect(text(ana, 'Razão social')).toHaveValue('LOJA DA ANA LTDA')
  await expect(text(ana, 'Cidade')).toHaveValue('São Paulo')
  await ana.getByRole('button', { name: 'Adicionar contato' }).click()
  const second = ana.getByRole('group', { name: 'Contato 2' })
  await text(ana, 'E-mail (opcional)').nth(1).fill('rita@')
  await second.getByLabel('Nome').fill('Rita')
  await finish(ana).click()
  await expect(second.getByText('Email Invalido')).toBeVisible()
  await second.getByLabel('E-mail (opcional)').fill('rita@loja.test')
  expect(await noScroll(ana)).toBe(true)
  await expectAccessible(ana)
  await finish(ana).click()
  await expect(
    ana.getByText(
      'Cadastro concluído com exito, verifique seu email com os dados de acesso para fazer login',
    ),
  ).toBeVisible()
  // the holder of the link is logged in; the letter leads to a password of her own
  await ana.waitForURL('**/tickets')
  await expect(ana.locator('[data-screen=tickets] h1')).toBeAttached()
  const { token } = await office.letterTo(email, 1)
  expect(token).not.toBe('')
  await tryUntilPaid(ana, email, world.url)

  const rui = await people.visitor(phone)
  await rui.goto(address)
  await expect(rui.getByRole('heading', { level: 1 })).toHaveText('Este cadastro já foi concluído')
})

/** Her trial ends with a rest: the plan is taken up, paid by PIX, and she is back. */
async function tryUntilPaid(ana: Page, email: string, url: string) {
  const { call } = await callsOf(url, 'master@balcao.test')
  const { companies } = await call(clients.list, { query: { searchParam: email } })
  const { id: companyId, plan } = companies[0]!
  const planId = plan[0]!.id
  await call(plans.change, { params: { planId }, body: { restsAfterTrial: true } })
  const today = new Intl.DateTimeFormat('en-CA', { timeZone: 'America/Sao_Paulo' }).format()
  await call(billing.change, { params: { companyId }, body: { trialEndsOn: daysFrom(today, -1) } })
  const banner = ana.locator('[data-account]')
  await expect(banner).toContainText('O teste terminou')
  await banner.getByRole('link', { name: 'Ver faturas' }).click()
  await ana.getByRole('button', { name: 'Contratar o plano' }).click()
  const invoice = ana.locator('[data-invoice]')
  await expect(invoice).toContainText('R$ 444,00')
  await expect(banner).toContainText('nenhuma mensagem sai')
  await invoice.getByRole('button', { name: /^Pagar por PIX/ }).click()
  await expect(ana.getByRole('textbox', { name: 'PIX copia e cola' })).toHaveValue(/^000201/)
  await ana.keyboard.press('Escape')
  const { list } = await call(invoices.list, { params: { planId } })
  await call(invoices.pay, { params: { invoiceId: list[0]!.id }, body: { payDate: today } })
  await expect(invoice).toContainText('Recebida')
  await expect(banner).toHaveCount(0)
}
