import { type BusinessHours, businessHours } from '@balcao/contract/businessHours.ts'
import { companies, OwnCompany, Setting } from '@balcao/contract/companies.ts'
import { FiscalSettings, fiscalNotes } from '@balcao/contract/fiscalNotes.ts'
import { Terms, terms } from '@balcao/contract/terms.ts'
import { expect, test } from 'vitest'
import { enter } from '../../../testing/page.tsx'
import { helena, operator } from '../../../testing/people.ts'
import { sample } from '../../../testing/samples.ts'
import { refuse, type Server } from '../../../testing/server.ts'

const place = {
  street: 'Avenida Paulista',
  district: 'Bela Vista',
  city: 'São Paulo',
  state: 'SP',
  country: 'Brasil',
}
const own = () => sample(OwnCompany, { ...helena.company, name: 'Lume Móveis', timeZone: null })

/** The company's screen, which makes more requests than these tests are about. */
function answering(more: (server: Server) => Server = server => server) {
  return (server: Server) => more(server.on(companies.show, own()).on(companies.settings, []))
}
/** Other requests of the screen are tested elsewhere. */
function quiet({ server }: ReturnType<typeof enter>) {
  server.complaints.length = 0
}

test('the company’s document number is judged as it is written, a postal code fills the address, and a logo is a picture (SETTINGS-004 … SETTINGS-012) [GEN-010, ROUTE-024, SETTINGS-004 … SETTINGS-006, SETTINGS-008 … SETTINGS-010, SETTINGS-011, SETTINGS-012]', async () => {
  let isAway = true
  const page = enter('/settings', helena, {
    answers: answering(server =>
      server
        .on(companies.findPostalCode, () => (isAway ? refuse(502, 'ERR_POSTAL_CODE_SEARCH') : place))
        .on(companies.change, ({ body }) => sample(OwnCompany, { slogan: body.slogan ?? '' })),
    ),
  })
  const number = await page.field('CPF ou CNPJ')
  for (const [typed, message] of [
    ['123456789', 'O cpf deve conter 11 dígitos ou o CNPJ deve conter 14 dígitos'],
    ['12345678901', 'CPF invalido'],
    ['1234567890123', 'O CNPJ deve conter 14 dígitos'],
    ['12345678901234', 'CNPJ invalido'],
  ] as const) {
    await page.fill('CPF ou CNPJ', typed)
    await page.sees(message)
  }
  await page.fill('CPF ou CNPJ', '12ABC34501DE35')
  expect(number).toHaveValue('12.ABC.345/01DE-35')
  await page.fill('CPF ou CNPJ', '52998224725')
  expect(number).toHaveValue('529.982.247-25')

  await page.fill('CEP', '01310-100')
  await page.user.keyboard('{Tab}')
  await page.sees('A busca de CEP não respondeu')
  isAway = false
  await page.user.click(await page.field('CEP'))
  await page.user.keyboard('{Tab}')
  await expect.poll(async () => (await page.field('Rua')).value).toBe('Avenida Paulista')
  expect(await page.field('País')).toHaveValue('Brasil')

  await page.give(new File(['%PDF'], 'logo.pdf', { type: 'application/pdf' }))
  await page.sees('O logotipo deve ser uma imagem PNG ou JPG')
  await page.fill('Slogan', 'Luz para viver')
  await page.press(/^Salvar$/)
  await page.sees('Salvo com sucesso')
  expect(page.server.asked(companies.change)[0]?.body).toMatchObject({
    slogan: 'Luz para viver',
    cep: '01310100',
  })
  quiet(page)
})

test('the company’s time zone is chosen by its words; a refusal changes nothing', async () => {
  let isRefused = false
  const page = enter('/settings', helena, {
    answers: answering(server =>
      server.on(companies.change, ({ body }) =>
        isRefused
          ? refuse(400, 'ERR_BAD_REQUEST', { message: 'ERR_NO_COMPANY_FOUND' })
          : sample(OwnCompany, { ...own(), timeZone: body.timeZone ?? null }),
      ),
    ),
  })
  await page.fill('Fuso horário', 'nenhures')
  await page.sees('Nenhum fuso com este nome')
  await page.pick('Fuso horário', 'Tok', 'Asia/Tokyo')
  await page.sees('Fuso horário salvo')
  expect(page.server.asked(companies.change)[0]?.body.timeZone).toBe('Asia/Tokyo')
  isRefused = true
  await page.pick('Fuso horário', 'Lisb', 'Europe/Lisbon')
  await page.find('alert')
  await page.lacks('ERR_')
  quiet(page)
})

test('numbers without a country are of the one that is chosen, found without its accents', async () => {
  const page = enter('/settings', helena, {
    answers: answering(server =>
      server.on(companies.change, ({ body }) =>
        sample(OwnCompany, { ...own(), phoneCountry: body.phoneCountry ?? 'BR' }),
      ),
    ),
  })
  await page.pick('País dos números', 'mexico', 'México (+52)')
  await page.sees('País salvo')
  expect(page.server.asked(companies.change)[0]?.body).toEqual({ phoneCountry: 'MX' })
  quiet(page)
})

test('what was deleted for everyone is kept where the company switches it on', async () => {
  const page = enter('/settings?section=messages', helena, {
    answers: answering(server =>
      server.on(companies.change, ({ body }) =>
        sample(OwnCompany, { ...own(), readsOnPhone: true, keepsDeleted: false, ...body }),
      ),
    ),
  })
  const choice = await page.find('switch', 'Guardar o que foi apagado para todos')
  expect(choice).not.toBeChecked()
  await page.user.click(choice)
  await expect.poll(() => choice).toBeChecked()
  expect(page.server.asked(companies.change)[0]?.body).toEqual({ keepsDeleted: true })
  await page.press('Ler no celular zera as não lidas')
  await expect.poll(() => page.server.asked(companies.change)[1]?.body).toEqual({ readsOnPhone: false })
  quiet(page)
})

test('hours are saved twice in one visit: what is kept, sorted by then, is what the second change is of', async () => {
  const day = (weekday: number) => ({ weekday, opens: 480, closes: 1080 })
  let kept: BusinessHours = { hours: [day(6)], holidays: [] }
  const page = enter('/settings?section=hours', helena, {
    answers: answering(server =>
      server
        .on(businessHours.show, () => kept)
        .on(businessHours.change, ({ body }) => {
          kept = { ...body, hours: body.hours.toSorted((one, other) => one.weekday - other.weekday) }
          return kept
        }),
    ),
  })
  await page.press('Adicionar horário')
  await page.press('Salvar expediente')
  await page.sees('Expediente salvo.')
  const first = structuredClone(kept)
  expect(first.hours).toEqual([day(0), day(6)])
  await page.lacks('Não salvo')
  await page.press('Salvar expediente')
  await expect.poll(() => page.server.asked(businessHours.change).length).toBe(2)
  expect(page.server.asked(businessHours.change)[1]).toMatchObject({ seen: first, body: first })
  quiet(page)
})

test('a company says what follows thanks after a closing, and how often it tells its hours', async () => {
  const page = enter('/settings?section=messages', helena, {
    answers: answering(server =>
      server.on(companies.change, ({ body }) => sample(OwnCompany, body as object)),
    ),
  })
  await page.fill('Minutos para agradecimentos', '30')
  await page.choose('O que acontece com eles', 'Reabrem o atendimento com quem atendeu')
  await page.fill('Horas até repetir a mensagem fora do horário', '24')
  const form = (await page.field('Minutos para agradecimentos')).closest('form')!
  await page.user.click(form.querySelector('[type=submit]')!)
  await expect
    .poll(() => page.server.asked(companies.change)[0]?.body)
    .toEqual({ thanksMinutes: 30, reopensOnThanks: true, outOfHoursEvery: 24 })
  quiet(page)
})

test('the settings are in sections beside a list, named by the address; one with something unsaved asks before another is opened', async () => {
  const page = enter('/settings', helena, { answers: answering() })
  const list = page.part('navigation', 'Seções das configurações')
  expect(await list.find('link', 'Empresa')).toHaveAttribute('aria-current', 'page')
  await page.fill('Slogan', 'Luz para viver')
  await list.press('Expediente')
  await page.dialog('Sair sem salvar?').press('Sair sem salvar')
  await page.find('heading', 'Expediente')
  expect(location.search).toBe('?section=hours')
  await page.lacks('Slogan')
  await list.lacks('Plataforma')
  quiet(page)
  const phone = enter('/settings?section=contacts', helena, { answers: answering(), width: 390 })
  expect(await phone.field('Seção')).toHaveValue('contacts')
  await phone.choose('Seção', 'Empresa')
  await phone.field('Slogan')
  quiet(phone)
})

test('the operator decides what a dearer plan may owe, gives one trial to each document, publishes terms, and sets fiscal notes up', async () => {
  let current: Terms | null = null
  const page = enter('/saasSettings', operator, {
    answers: server =>
      server
        .on(companies.settings, [
          { key: 'upgradeTrust', value: '', isChosen: false },
          { key: 'oneTrial', value: 'disabled', isChosen: false },
        ])
        .on(companies.changeSetting, ({ params, body }) =>
          Setting.parse({ key: params.settingKey, value: body.value }),
        )
        .on(terms.show, () => ({ terms: current }))
        .on(terms.acceptances, { acceptances: [], hasMore: false })
        .on(terms.publish, ({ body }) => {
          current = sample(Terms, { ...body })
          return { terms: current }
        })
        .on(fiscalNotes.settings, FiscalSettings.parse({ isOn: false }))
        .on(fiscalNotes.save, ({ body }) => FiscalSettings.parse(body)),
  })
  await page.press('Um teste por CPF ou CNPJ')
  await page.fill('Confiança na troca de plano (R$)', '150')
  await page.press('Salvar valor')
  await expect
    .poll(() =>
      page.server.asked(companies.changeSetting).map(({ params, body }) => [params.settingKey, body.value]),
    )
    .toEqual([
      ['oneTrial', 'enabled'],
      ['upgradeTrust', '150'],
    ])
  await page.sees('Nenhuma versão é pedida.', 'Desligadas')
  await page.press('Publicar versão')
  await page.dialog().fill('Versão', '2026-1')
  await page.dialog().press('Publicar versão')
  await page.dialog().sees('Um endereço ou um texto')
  await page.dialog().fill('Texto dos termos', 'Seja gentil.')
  await page.dialog().press('Publicar versão')
  await page.closed()
  await page.sees(/Versão 2026-1, publicada em/)

  await page.press('Configurar')
  await page.dialog().press('Emitir notas fiscais')
  await page.dialog().fill('Nome do serviço municipal', 'Licenciamento')
  await page.dialog().fill('Código do serviço municipal', '1.05')
  await page.dialog().fill('Descrição do serviço', 'Atendimento')
  await page.dialog().fill('ISS (%)', '2.5')
  await page.dialog().press('Salvar')
  await page.sees('Ligadas: Licenciamento')
  expect(page.server.asked(fiscalNotes.save)[0]?.body).toMatchObject({ isOn: true, iss: 2.5 })
  quiet(page)
})
