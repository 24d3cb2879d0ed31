import { businessHours } from '@balcao/contract/businessHours.ts'
import { Branding, companies } from '@balcao/contract/companies.ts'
import { Connection, connectionChannel, connections } from '@balcao/contract/connections.ts'
import { plans } from '@balcao/contract/plans.ts'
import { pricing } from '@balcao/contract/pricing.ts'
import { Queue, queues } from '@balcao/contract/queues.ts'
import { Ticket, tickets } from '@balcao/contract/tickets.ts'
import { UserChoice, users } from '@balcao/contract/users.ts'
import { expect, test } from 'vitest'
import { enter, lead } from '../../../testing/page.tsx'
import { helena, marina, operator } from '../../../testing/people.ts'
import { keeping } from '../../../testing/rows.ts'
import { sample, samples } from '../../../testing/samples.ts'
import type { Server } from '../../../testing/server.ts'

const alone = samples(UserChoice, [{ id: 2, name: 'Helena Prado' }])
const empty = (server: Server) => {
  const rows: Queue[] = []
  return keeping(queues, { as: 'rows', by: 'queueId', shape: Queue, rows })(server)
    .on(queues.list, () => rows)
    .on(connections.list, [])
    .on(users.all, alone)
}
const number = sample(Connection, {
  id: 4,
  name: 'Loja',
  lib: 'baileys',
  status: 'CONNECTED',
  whatsappNumber: '5571988887777',
  greetingMessage: 'Olá!',
})

test('an empty company’s admin is led through what is missing; each step opens its place and ticks itself', async () => {
  const page = enter('/tickets', helena, { answers: empty })
  const list = page.part.bind(page, 'region', 'Primeiros passos')
  await page.sees('Primeiros passos', '0 de 5 prontos', 'Assim que um número estiver conectado')
  await list().press('Vendas')
  await page.sees('1 de 5 prontos')
  expect(page.server.asked(queues.create)[0]!.body).toMatchObject({ name: 'Vendas', color: '#1273de' })
  await list().lacks('Vendas')
  await list().press('Suporte')
  await list().lacks('Suporte')
  page.server.push(connectionChannel, { action: 'update', whatsapp: { ...number, status: 'qrcode' } })
  await page.sees('Loja ainda não está conectada', 'A saudação já existe. Falta o horário')
  await list().find('link', 'Horário')
  expect(list().maybe('link', 'Saudação')).toBeNull()
  page.server.push(connectionChannel, { action: 'update', whatsapp: { ...number, greetingMessage: '' } })
  await page.sees('2 de 5 prontos', 'Escreva para +55 71 98888-7777 como um cliente')
  expect(await list().find('link', 'Abrir no WhatsApp')).toHaveAttribute(
    'href',
    'https://wa.me/5571988887777',
  )
  await list().press('Saudação')
  await expect.poll(() => location.pathname).toBe('/connections/4')
  await lead('/tickets')
  await page.sees('Primeiros passos')
  await list().press('Convidar alguém')
  await expect.poll(() => location.pathname).toBe('/invitations/new')
})

test('who dismissed the checklist does not see it again, and nobody sees it who may not do it or has nothing left', async () => {
  const page = enter('/tickets', helena, { answers: empty })
  await page.sees('Primeiros passos')
  await page.press('Dispensar')
  await page.sees('Escolha um atendimento para começar')
  const again = enter('/tickets', helena, { answers: empty })
  await again.sees('Escolha um atendimento para começar')
  await again.lacks('Primeiros passos')
  const attendant = enter('/tickets', marina, { answers: empty })
  await attendant.sees('Escolha um atendimento para começar')
  await attendant.lacks('Primeiros passos')
  localStorage.clear()
  const working = enter('/tickets', helena, {
    answers: server =>
      server
        .on(connections.list, [number])
        .on(businessHours.show, { hours: [{ weekday: 1, opens: 480, closes: 1080 }], holidays: [] })
        .on(tickets.list, { tickets: [sample(Ticket, { id: 1 })], hasMore: false, count: 1 }),
  })
  await working.sees('Escolha um atendimento para começar')
  await working.lacks('Primeiros passos')
})

test('the operator of a new platform sees what it lacks, and what is there is ticked', async () => {
  const platform = (payments: boolean) =>
    enter('/tickets', operator, {
      answers: server =>
        server
          .on(
            companies.branding,
            sample(Branding, { timeZone: 'America/Sao_Paulo', userCreation: 'enabled', payments }),
          )
          .on(companies.settings, [{ key: 'graceDays', value: '0', isChosen: payments }])
          .on(pricing.coupons, [])
          .on(plans.public, { plans: [] })
          .on(plans.list, { plans: [], hasMore: false }),
    })
  await platform(true).sees('Para abrir a plataforma', '3 de 7 prontos')
  const page = platform(false)
  await page.sees(
    '1 de 7 prontos',
    'Decida sobre quem não paga',
    'defina SMTP_URL',
    'defina BACKEND_URL',
    'informe a conta num provedor',
    'Escolher quem cobra',
  )
  await page.part('region', 'Para abrir a plataforma').press('Criar um plano')
  await expect.poll(() => location.pathname).toBe('/plans/new')
})
