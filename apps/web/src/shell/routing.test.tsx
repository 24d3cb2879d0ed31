import { auth } from '@balcao/contract/auth.ts'
import { Branding, companies } from '@balcao/contract/companies.ts'
import { CompanyLimits, companyLimits } from '@balcao/contract/companyLimits.ts'
import { markChannel, marks } from '@balcao/contract/marks.ts'
import { may, viewerFrom } from '@balcao/contract/permissions.rules.ts'
import { queues } from '@balcao/contract/queues.ts'
import { quickAnswers } from '@balcao/contract/quickAnswers.ts'
import { Terms, terms } from '@balcao/contract/terms.ts'
import { tickets } from '@balcao/contract/tickets.ts'
import { userChannel, users } from '@balcao/contract/users.ts'
import { act } from '@testing-library/react'
import { expect, onTestFinished, test, vi } from 'vitest'
import { counter, ticketOf } from '../../testing/counter.ts'
import { enter, lead } from '../../testing/page.tsx'
import { butWith, helena, marina, operator } from '../../testing/people.ts'
import { sample } from '../../testing/samples.ts'
import { refuse, type Server } from '../../testing/server.ts'
import { liveSocket } from '../../testing/socket.ts'
import { features } from '../features.ts'
import { decided } from './decided.ts'

const paths = features
  .flatMap(({ screens = [] }) => screens)
  .filter(screen => screen.access !== 'outside')
  .map(screen => ({ ...screen, path: filledIn(screen.path) }))

/** Without an id a manager redirects to its list; any other screen is one. */
function filledIn(path: string) {
  const named = path.replace(/\/\*$/, '')
  const whole = /Manager\//i.test(named) ? named.replace('?', '') : named.replace(/\/:\w+\?/g, '')
  return whole.replace(/:\w+/g, '1')
}

test('every address leads to its screen in capitals too, with a slash behind it (ROUTE-005) [ROUTE-005, ROUTE-015 … ROUTE-017, ROUTE-054, MENU-014, OP-20]', async () => {
  const led: string[] = []
  const opened: Server[] = []
  for (const { path, access, needs } of paths.filter(({ access }) => access !== 'anyone')) {
    const who =
      access === 'public' ? null : [helena, operator].find(one => !needs || may(viewerFrom(one), needs))!
    const page = enter(`${path.replace(/^\/[^/]+/, word => word.toUpperCase())}/`, who)
    await expect.poll(() => document.querySelector('main, form') !== null).toBe(true)
    const isThere = () => location.pathname.replace(/\/$/, '').toLowerCase() === path.toLowerCase()
    if (!isThere()) led.push(`${path} led to ${location.pathname}`)
    opened.push(page.server)
  }
  expect(led).toEqual([])
  // the requests of the screens are tested elsewhere; the last screen may make requests until it is closed
  opened.push(enter('/login', null).server)
  for (const { complaints } of opened) complaints.length = 0
})

test('the menu offers what one may open: six entries and the mentions to everybody, the administration to admins (MENU-001, MENU-007, MENU-008) [GEN-028, MENU-001, MENU-008]', async () => {
  const page = enter('/tickets', marina)
  const menu = page.part('navigation', 'Menu principal')
  await menu.find('link', 'Contatos')
  const led = menu.all('link').map(link => link.getAttribute('href'))
  const documented = ['/tickets', '/kanban', '/contacts', '/schedules', '/quickAnswers', '/connections']
  expect(led.filter(path => path !== '/mentions')).toEqual(documented)
  expect(page.maybe('button', 'Administração')).toBeNull()
  const other = enter('/tickets', helena)
  await other.press('Administração')
  await other.find('menuitem', 'Usuários')
  const offered = other.words('menuitem').join(' ')
  for (const name of ['Etiquetas', 'Filas', 'Localizações', 'Bots', 'Fluxos', 'Configurações'])
    expect(offered).toContain(name)
})

test('whatever stands behind it, /queues is the screen of queues [ROUTE-025]', async () => {
  const page = enter('/queues/abc/def', helena, {
    answers: server => server.on(queues.show, () => refuse(404, 'ERR_NO_QUEUE_FOUND')),
  })
  await page.find('heading', 'Filas')
})

test('of a process of an earlier version, which answers without what an entry of the menu reads, that entry is not chosen', () => {
  const warned = vi.spyOn(console, 'warn').mockReturnValue()
  onTestFinished(() => warned.mockRestore())
  const known = structuredClone(helena)
  Reflect.deleteProperty(known.company, 'plan')
  const entries = features.flatMap(({ menu = [] }) => menu)
  for (const { when, enabled } of entries)
    expect([true, false]).toContain(decided(when, known) && decided(enabled, known))
  expect(decided(entries.find(({ path }) => path === '/flowList')!.enabled, known)).toBe(false)
})

test('what the plan lacks stands in the menu and cannot be chosen: flows, the AI integration (MENU-009, MENU-010) [MENU-009, MENU-010]', async () => {
  const plan = helena.company.plan[0]!
  const entries = { Fluxos: 'enableFlows', 'Integração IA': 'iaIntegrationEnabled' } as const
  for (const lacks of Object.values(entries)) {
    const page = enter('/tickets', butWith(helena, { company: { plan: [{ ...plan, [lacks]: false }] } }))
    await page.press('Administração')
    for (const [name, flag] of Object.entries(entries)) {
      const entry = await page.find('menuitem', name)
      expect(entry.matches(':disabled, [data-disabled], [aria-disabled=true]'), name).toBe(flag === lacks)
    }
  }
})

test('a session is restored under a mark while it is asked for, keeps one line, and ends with the logout', async () => {
  const gate = Promise.withResolvers<void>()
  const page = enter('/tickets', marina, {
    answers: server =>
      server
        .on(auth.refresh, () => gate.promise.then(() => ({ token: 'new', user: marina })))
        .on(auth.logout, {}),
  })
  await page.sees('Carregando')
  gate.resolve()
  await page.find('tab', /Atendendo/)
  await expect.poll(() => liveSocket.connected).toBe(true)
  await page.press('Marina Duarte')
  await page.press('Logout')
  await expect.poll(() => location.pathname).toBe('/login')
  expect(liveSocket.connected).toBe(false)
  expect(localStorage.getItem('token')).toBeNull()
  await lead('/tickets')
  await expect.poll(() => location.pathname).toBe('/login')
})

test('a restored copy that is tried out says so on every screen, before the login too', async () => {
  const branding = sample(Branding, { drill: true, timeZone: 'America/Sao_Paulo' })
  for (const who of [null, marina]) {
    const page = enter(who ? '/tickets' : '/login', who, {
      answers: server => server.on(companies.branding, branding),
    })
    await page.sees('Ensaio de uma cópia restaurada: nada sai daqui.')
  }
})

test('theme and language are chosen in the preferences and kept [GEN-011, GEN-020, SHELL-010, SHELL-012, SHELL-015, SHELL-016, OP-48]', async () => {
  const page = enter('/tickets', marina)
  await page.press('Marina Duarte')
  await page.press('Preferencias')
  await page.press('Drácula')
  await page.press('APLICAR')
  await page.closed()
  expect(document.documentElement.dataset.theme).toBe('dracula')
  await page.press('Marina Duarte')
  await page.press('Preferencias')
  await page.choose('Idioma', 'English')
  await page.find('tab', /Waiting/)
  expect({ ...localStorage }).toMatchObject({ i18nextLng: 'en', preferredTheme: 'dracula' })
})

test('another language is spoken at once, over what one has begun to write', async () => {
  const page = enter('/quickAnswers', marina, {
    answers: server => server.on(quickAnswers.list, { quickAnswers: [], hasMore: false }),
  })
  await page.press('Adicionar resposta rápida')
  await page.dialog().fill('Atalho', 'horario')
  await page.press('Marina Duarte')
  await page.press('Preferencias')
  await page.dialog('Preferencias').choose('Idioma', 'Español')
  await page.sees('Volumen de las notificaciones')
  await page.dialog('Preferencias').press('Cancelar')
  expect(await page.dialog().field('Atajo')).toHaveValue('horario')
})

test('an address that no screen has says so and leads to the tickets; the bare one leads there without a word (ROUTE-053) [ROUTE-053, OP-46]', async () => {
  enter('/atendimentos/41', null)
  await expect.poll(() => location.pathname).toBe('/login')
  const page = enter('/atendimentos/41', marina)
  await page.sees('O endereço /atendimentos/41 não existe aqui')
  expect(location.pathname).toBe('/tickets')
  const bare = enter('/', marina)
  await bare.find('tab', /Atendendo/)
  expect(location.pathname).toBe('/tickets')
  await bare.lacks('não existe aqui')
})

test('the top bar says that the line is cut and that it is back, whichever screen one is on; on a phone a row below it', async () => {
  for (const width of [1440, 390]) {
    const page = enter('/tickets', marina, { width })
    await expect.poll(() => liveSocket.connected).toBe(true)
    await page.lacks('Reconectando…')
    act(() => liveSocket.breaks())
    await page.sees('Reconectando…')
    expect(page.maybe('banner')?.textContent?.includes('Reconectando…')).toBe(width === 1440)
    act(() => liveSocket.connect())
    await page.sees('De volta.')
    // the browser reports network loss before a heartbeat is missed
    act(() => void window.dispatchEvent(new Event('offline')))
    await page.sees('Reconectando…')
    act(() => void window.dispatchEvent(new Event('online')))
  }
})

test('the first stop of the keyboard leads past the menu to the content', async () => {
  const page = enter('/tickets', marina)
  await page.find('tab', /Atendendo/)
  await page.user.tab()
  expect(document.activeElement).toHaveTextContent('Ir para o conteúdo')
  await page.user.keyboard('{Enter}')
  expect(document.querySelector('main')).toHaveFocus()
})

test('? shows the keys, and not while one writes', async () => {
  const page = enter('/tickets', marina)
  await page.find('tab', /Atendendo/)
  await page.user.keyboard('?')
  await page
    .dialog('Atalhos do teclado')
    .sees('Próximo atendimento da lista', 'Editar a última mensagem, com o campo vazio')
})

test('a colleague’s top bar follows the name, the slogan and the logo that an admin gives the company', async () => {
  const page = enter('/tickets', marina)
  const bar = page.part('banner')
  await bar.sees('Lume Móveis')
  const toServer = page.server.fetch
  vi.stubGlobal('fetch', async (address: string, init?: RequestInit) =>
    String(address).endsWith('/logo/2') ? new Response(new Blob(['png'])) : toServer(address, init),
  )
  const company = { ...marina.company, companyName: 'Lume Casa', slogan: 'Feita à mão', logoUrl: '/logo/2' }
  page.server.push(userChannel, { action: 'update', user: { ...marina, company } })
  await bar.sees('Lume Casa', 'Feita à mão')
  await bar.lacks('Lume Móveis')
  await expect.poll(() => bar.element.querySelector('img')?.src).toMatch(/^blob:/)
})

test('an empty bell says so', async () => {
  const page = enter('/tickets', marina)
  await page.press(/^Notificações/)
  await page.sees('Nenhuma notificação.')
})

test('what is new in a followed ticket is an entry of the bell, which is seen once its ticket is open', async () => {
  const ticket = ticketOf('Nora Lima', { id: 41 }, helena)
  let news = [ticket]
  const page = enter('/tickets', marina, {
    answers: server =>
      counter(ticket)
        .answers(server)
        .on(tickets.list, ({ query }) => ({
          ...{ tickets: query.news ? news : [], hasMore: false, count: 0 },
          marks: { pinned: [], following: [41] },
        }))
        .on(marks.seen, () => {
          news = []
          return {}
        }),
  })
  await page.press('Notificações: 1')
  await page.find('img', 'Novidade em um atendimento que você segue')
  await page.press(/^Nora Lima/)
  await expect.poll(() => location.pathname).toBe('/tickets/41')
  await expect
    .poll(() => page.server.asked(marks.seen).map(({ params }) => params))
    .toEqual([{ ticketId: 41 }])
  page.server.push(markChannel, { news: 41 })
  await page.find('button', 'Notificações')
})

test('what is late stands first in the bell: of everybody for an admin, for an attendant the own', async () => {
  const clock = {
    state: 'missed' as const,
    dueAt: '2026-01-02T12:00:00.000Z',
    soonAt: '2026-01-02T11:55:00.000Z',
    endedAt: null,
  }
  const targets = { firstReply: null, reply: clock, resolution: null }
  const late = ticketOf('Rita Lima', { targets, targetDueAt: clock.dueAt }, marina)
  for (const who of [helena, marina]) {
    const page = enter('/tickets', who, { answers: counter(late).answers })
    await page.sees('1 fora do prazo')
    const asked = page.server.asked(tickets.list).filter(({ query }) => query.target === 'late')
    expect(asked.map(({ query }) => [query.status, query.showAll])).toEqual(
      who === helena
        ? [
            ['open', true],
            ['pending', true],
          ]
        : [['open', false]],
    )
    await page.press(/^Notificações/)
    await page.dialog('Notificações').press(/Rita Lima/)
    await expect.poll(() => location.pathname).toBe('/tickets/41')
  }
})

test('what an own record became between the session and the first connection is seen', async () => {
  const company = { ...helena.company, suspended: true }
  const page = enter('/tickets', helena, {
    answers: server => server.on(users.show, { ...helena, company }),
  })
  await page.sees('O teste terminou')
})

test('a pause in which the service rests says why and until when, to whoever is in the company', async () => {
  const servicePause = { until: '2026-12-20', reason: 'Reforma' }
  const company = { ...marina.company, suspended: true, servicePause }
  const page = enter('/tickets', { ...marina, company })
  await page.sees('Atendimento em pausa até 20/12/2026 (Reforma): nenhuma mensagem sai.')
})

test('an admin is asked to accept the operator’s terms, which are read there', async () => {
  const asked = sample(Terms, { version: '2026-1', text: 'Seja gentil.', url: '' })
  const company = { ...helena.company, termsDue: true }
  const page = enter(
    '/tickets',
    { ...helena, company },
    {
      answers: server => server.on(terms.own, { terms: asked }).on(terms.accept, { terms: null }),
    },
  )
  await page.dialog('Termos de uso').sees('versão 2026-1', 'Seja gentil.')
  await page.dialog('Termos de uso').press('Aceitar')
  await page.closed()
  expect(page.server.asked(terms.accept)[0]?.body).toEqual({ version: '2026-1' })
  const other = enter('/tickets', { ...marina, company: { ...marina.company, termsDue: true } })
  await other.lacks('Termos de uso')
})

test('an admin who does not see what the company pays reads who chooses what rests', async () => {
  const company = { ...helena.company, limitsBy: '2026-12-06' }
  const page = enter(
    '/tickets',
    { ...helena, payPanelAccess: false, company },
    {
      answers: server =>
        server.on(companyLimits.show, sample(CompanyLimits, { companyId: 2, choosers: ['Dona Rute'] })),
    },
  )
  await page.sees('até 06/12 é escolhido o que continua.', 'Quem escolhe: Dona Rute.')
})
