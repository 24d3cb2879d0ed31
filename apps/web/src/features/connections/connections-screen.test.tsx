import { CloudHealth, CloudView } from '@balcao/contract/cloud.ts'
import {
  Connection,
  type ConnectionStatus,
  connectionChannel,
  connectionSessionChannel,
  connections,
  Fall,
} from '@balcao/contract/connections.ts'
import { IMPORTING, importChannel } from '@balcao/contract/imports.ts'
import { fireEvent } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import type { z } from 'zod'
import { enter } from '../../../testing/page.tsx'
import { helena, operator } from '../../../testing/people.ts'
import { keeping } from '../../../testing/rows.ts'
import { sample, samples } from '../../../testing/samples.ts'
import type { Server } from '../../../testing/server.ts'

type Status = z.infer<typeof ConnectionStatus>
const rowsOf = (...statuses: Status[]) =>
  samples(
    Connection,
    statuses.map((status, at) => ({ id: at + 1, name: `Loja ${at + 1}`, lib: 'baileys' as const, status })),
  )

const answering = (rows: Connection[]) => (server: Server) => {
  const one = (id: number) => rows.find(row => row.id === id)!
  // the viewer is pushed the change like everyone else
  const become = (id: number, status: Status) => {
    const session = Object.assign(one(id), { status, updatedAt: new Date().toISOString() })
    server.push(connectionSessionChannel, { action: 'update', session })
    return session
  }
  return keeping(connections, { as: 'rows', by: 'whatsappId', shape: Connection, rows })(server)
    .on(connections.list, () => rows)
    .on(connections.disconnect, ({ params }) => become(params.whatsappId, 'DISCONNECTED'))
    .on(connections.renew, ({ params }) => become(params.whatsappId, 'qrcode'))
    .on(connections.start, ({ params }) => become(params.whatsappId, 'OPENING'))
    .on(connections.heir, ({ params }) => ({ tickets: 5, unreachable: params.whatsappId === 3 ? 2 : 0 }))
}

test('a form names what is missing, also from an empty list; the notification centre is the master’s to switch [CONN-016, CONN-022, ERR-028]', async () => {
  const page = enter('/connections', helena, { answers: answering([]) })
  await page.press('Criar agora')
  const dialog = page.dialog()
  await dialog.press('Salvar')
  await dialog.sees('Obrigatório')
  await dialog.lacks('Too Short!', 'Central de notificações')
  await dialog.fill('Nome', 'Sem tipo')
  await dialog.press('Salvar')
  await page.sees('Selecione um tipo de conexão')
})

test('a master switches the notification centre on [CONN-016, CONN-022]', async () => {
  const page = enter('/connections/new', operator, { answers: answering([]) })
  const dialog = page.dialog()
  await dialog.fill('Nome', 'Cobrança')
  await dialog.choose('Tipo de conexão', /WhatsApp|QR|Baileys/)
  await dialog.press('Central de notificações')
  await dialog.press('Salvar')
  await expect
    .poll(() => page.server.asked(connections.create)[0]?.body)
    .toMatchObject({ saasNotificationCenter: 1 })
})

test('a connection may have hours of its own, which are refused in the words of the form', async () => {
  const rows = rowsOf('CONNECTED')
  const page = enter('/connections/1', helena, {
    answers: server => answering(rows)(server).on(connections.change, () => rows[0]!),
  })
  const dialog = page.dialog()
  await dialog.press(/^Horário próprio/)
  fireEvent.change(await dialog.field('Abre'), { target: { value: '19:00' } })
  await dialog.press('Salvar')
  await dialog.sees('Cada horário fecha depois de abrir')
  await dialog.press('Remover horário')
  await dialog.sees('Sem nenhum horário, está sempre fora do expediente.')
  await dialog.press('Adicionar horário')
  fireEvent.change(await dialog.field('Abre'), { target: { value: '09:30' } })
  await dialog.press('Salvar')
  await expect
    .poll(() => page.server.asked(connections.change)[0]?.body)
    .toMatchObject({ hours: [{ weekday: 1, opens: 570, closes: 1_080 }] })
})

test('what can be done with a session follows its state: one that pairs or timed out is ended, one that opens is cleaned [CONN-007, CONN-009]', async () => {
  const rows = rowsOf('OPENING', 'PAIRING', 'TIMEOUT')
  const page = enter('/connections', helena, { answers: answering(rows) })
  await page.row('Loja 1').sees('Conectando')
  await page.row('Loja 2').sees('Pareando')
  await page.row('Loja 3').sees('Tempo esgotado')
  await page.row('Loja 1').press('Limpar sessão')
  await page.row('Loja 1').sees('Desconectada')
  for (const name of ['Loja 2', 'Loja 3']) {
    await page.row(name).press('Desconectar')
    await page.dialog().press('Desconectar')
    await page.row(name).sees('Desconectada')
  }
  page.server.push(connectionSessionChannel, {
    action: 'update',
    session: { ...rows[0]!, status: 'CONNECTED', updatedAt: new Date().toISOString() },
  })
  await page.row('Loja 1').sees('Conectada')
  page.server.push(connectionChannel, {
    action: 'update',
    whatsapp: sample(Connection, { ...rows[1]!, name: 'Loja nova' }),
  })
  await page.row('Loja nova').sees('')
})

test('while the phone packs its past the screen says so for 35 seconds [CONN-010]', async () => {
  const [row] = rowsOf('CONNECTED')
  vi.useFakeTimers({ shouldAdvanceTime: true })
  const page = enter('/connections', helena, {
    answers: answering([{ ...row!, statusImportMessages: IMPORTING }]),
  })
  expect(await page.find('button', 'Preparando importação…')).toBeDisabled()
  await vi.advanceTimersByTimeAsync(33_000)
  await page.find('button', 'Preparando importação…')
  await vi.advanceTimersByTimeAsync(3_000)
  await page.lacks('Preparando importação…')
  expect(await page.find('button', '…')).toBeDisabled()
  page.server.push(importChannel, { action: 'update', status: { whatsappId: 1, this: 3, all: 4 } })
  await page.sees('3 de 4 mensagens (75%)')
})

test('a connection that rests, since the plan allows fewer, is labelled', async () => {
  const rows = rowsOf('DISCONNECTED')
  rows[0]!.restingSince = '2026-11-20T12:00:00.000Z'
  const page = enter('/connections', helena, { answers: answering(rows) })
  await page.sees('Em repouso', 'A empresa tem mais conexões do que o plano permite.')
})

test('a connection that was just saved shows its code with the phone’s steps and a code to type beside it, why none comes, and what happens next (CONN-012, CONN-013)', async () => {
  const rows: Connection[] = []
  const page = enter('/connections/new', helena, {
    answers: server =>
      answering(rows)(server).on(connections.create, ({ body: { name } }) => {
        const whatsapp = sample(Connection, { id: 1, name, lib: 'baileys', status: 'DISCONNECTED' })
        rows.push(whatsapp)
        server.push(connectionChannel, { action: 'update', whatsapp })
        return whatsapp
      }),
  })
  const become = (change: Partial<Connection>) =>
    page.server.push(connectionSessionChannel, { action: 'update', session: Object.assign(rows[0]!, change) })
  await page.dialog().fill('Nome', 'Loja Pituba')
  await page.dialog().choose('Tipo de conexão', /QR/)
  await page.dialog().press('Salvar')
  const dialog = page.dialog('Ler o QR Code: Loja Pituba')
  await expect.poll(() => page.server.asked(connections.start)).toMatchObject([{ params: { whatsappId: 1 } }])
  await dialog.sees('O código está a caminho…', 'Toque em Conectar um aparelho', 'esta janela fecha sozinha')
  become({ status: 'DISCONNECTED', statusReason: 'ERR_WAPP_UNREACHABLE' })
  await dialog.sees('O WhatsApp não responde agora')
  await dialog.press('Tentar novamente')
  become({ status: 'qrcode', statusReason: '', qrcode: 'first' })
  await expect.poll(() => document.querySelector('[data-qr]')?.getAttribute('data-qr')).toBe('first')
  become({ qrcode: 'second' })
  await expect.poll(() => document.querySelector('[data-qr]')?.getAttribute('data-qr')).toBe('second')
  await dialog.fill('Não consegue ler? Use um código', '+55 71 98888-7777')
  await dialog.press('Gerar código')
  await expect
    .poll(() => page.server.asked(connections.renew).at(-1)?.body)
    .toEqual({ number: '+55 71 98888-7777' })
  become({ qrcode: '', pairingCode: 'ABCD1234' })
  await dialog.sees('ABCD-1234', 'Digite este código no celular')
  become({ pairingCode: '', status: 'PAIRING' })
  await page.closed()
  become({ status: 'CONNECTED' })
  await page.sees('Loja Pituba está conectada. O que os clientes escreverem aparece em Aguardando.')
})

test('a code that ran out closes its dialog and says so', async () => {
  const rows = rowsOf('qrcode')
  rows[0]!.qrcode = 'first'
  const page = enter('/connections', helena, { answers: answering(rows) })
  await page.row('Loja 1').press('QR Code')
  await page.dialog().sees('Abra o WhatsApp')
  page.server.push(connectionSessionChannel, {
    action: 'update',
    session: { ...rows[0]!, qrcode: '', status: 'TIMEOUT' },
  })
  await page.closed()
  await page.sees('O código de Loja 1 expirou sem ser lido')
})

test('a sign-up at Meta ends here with what was chosen before it, and only where this browser began it', async () => {
  const rows = rowsOf('CONNECTED')
  const state = 'b1f7'
  sessionStorage.setItem('balcao.signUp', JSON.stringify({ state, pin: '123456', importsHistory: false }))
  const answers = (server: Server) => answering(rows)(server).on(connections.signUp, () => rows[0]!)
  const page = enter(`/connections?code=codigo-da-meta&state=${state}`, helena, { answers })
  await expect
    .poll(() => page.server.asked(connections.signUp).map(({ body }) => body))
    .toEqual([{ code: 'codigo-da-meta', pin: '123456', importsHistory: false }])
  const other = enter(`/connections?code=codigo-de-outro&state=outro`, helena, { answers })
  await other.sees('O cadastro na Meta não chegou ao fim')
  expect(other.server.asked(connections.signUp)).toEqual([])
})

test('deleting a connection asks where its tickets go: the default one, which may not reach everyone, or nowhere', async () => {
  const rows = rowsOf('CONNECTED', 'CONNECTED', 'CONNECTED')
  rows[0]!.isDefault = true
  const page = enter('/connections', helena, { answers: answering(rows) })
  const ask = async (name: string, to?: string) => {
    await page.press(`Excluir: ${name}`)
    const dialog = page.dialog()
    expect(await dialog.field(/^Atendimentos abertos e em espera/)).toHaveDisplayValue('Loja 1')
    if (name === 'Loja 3') await dialog.sees(/2 de 5 atendimentos são de quem esta conexão não alcança/)
    if (to) await dialog.choose(/^Atendimentos abertos e em espera/, to)
    await dialog.press('Excluir')
    await page.closed()
  }
  await ask('Loja 3')
  await ask('Loja 2', 'Nenhuma: resolver todos')
  expect(page.server.asked(connections.remove).map(({ params, query }) => [params, query])).toEqual([
    [{ whatsappId: 3 }, { heirId: 1 }],
    [{ whatsappId: 2 }, { closeTickets: true }],
  ])
})

test('a number of the official API says what Meta holds against it, in the table and its dialog; what becomes worse is announced', async () => {
  const health = {
    ...sample(CloudHealth),
    ...{ quality: 'GREEN', messagingLimit: 'TIER_2K', numberStatus: 'CONNECTED', nameStatus: 'APPROVED' },
    ...{ banState: '', banDate: '', violation: '', violatedAt: null, restrictions: [] },
  }
  const [row] = rowsOf('CONNECTED')
  const official = (more: object): Connection => ({
    ...row!,
    ...{ name: 'Oficial', lib: 'cloud' },
    cloud: { ...sample(CloudView), health: { ...health, ...more } },
  })
  const page = enter('/connections', helena, { answers: answering([official({})]) })
  await page.sees('Conectada')
  await page.lacks('Sinalizado pela Meta')
  const restrictions = [
    { type: 'RESTRICTED_BIZ_INITIATED_MESSAGING', until: '2040-01-02T12:00:00.000Z' },
    { type: 'RESTRICTED_ADD_PHONE_NUMBER_ACTION', until: '2020-01-02T12:00:00.000Z' },
  ]
  const worse = { quality: 'RED', numberStatus: 'FLAGGED', messagingLimit: 'TIER_250', restrictions }
  page.server.push(connectionChannel, { action: 'update', whatsapp: official(worse) })
  await page.sees(
    'Oficial: Com restrições da Meta, Sinalizado pela Meta, Qualidade baixa, menos contatos novos em 24 horas',
  )
  await page.sees('Qualidade: Baixa')
  await page.press('Saúde e webhook: Oficial')
  const dialog = page.dialog()
  await dialog.sees('não pode começar conversas até')
  await dialog.lacks('não pode adicionar números')
})

test('a number that is banned for a time or restricted says until when, admins read it on any screen, and the falls have their reasons', async () => {
  const [row] = rowsOf('CONNECTED')
  const page = enter('/connections', helena, {
    answers: server =>
      answering([row!])(server).on(connections.falls, () => ({
        falls: samples(Fall, [
          { reason: 'ERR_WAPP_TEMP_BANNED', code: '402 101', at: '2030-01-02T12:00:00.000Z', backAt: null },
          {
            reason: 'ERR_WAPP_CONNECTION_LOST',
            code: '428',
            at: '2030-01-01T12:00:00.000Z',
            backAt: '2030-01-01T12:01:00.000Z',
          },
        ]),
      })),
  })
  await page.row('Loja 1').sees('Conectada')
  const become = (change: Partial<Connection>) =>
    page.server.push(connectionSessionChannel, { action: 'update', session: Object.assign(row!, change) })
  become({ restrictedUntil: '2040-01-02T12:00:00.000Z' })
  await page.row('Loja 1').sees('Sem novas conversas até 02/01/2040', 'Quem já escreveu é respondido')
  become({ statusReason: 'ERR_WAPP_NOT_RECORDING', restrictedUntil: null })
  await page.row('Loja 1').sees('Conectada', 'O que chega não pode ser gravado agora')
  const statusUntil = '2040-03-04T12:00:00.000Z'
  become({ status: 'DISCONNECTED', statusReason: 'ERR_WAPP_TEMP_BANNED', statusUntil, restrictedUntil: null })
  await page
    .row('Loja 1')
    .sees('O WhatsApp suspendeu este número. A conexão volta sozinha', 'Volta sozinha em 04/03/2040')
  await page.sees('Loja 1: O WhatsApp suspendeu')
  await page.press('Histórico de quedas: Loja 1')
  const dialog = page.dialog('Quedas de Loja 1')
  await dialog.sees('Muitas mensagens a quem não tem este número nos contatos', 'Código do WhatsApp: 402 101')
  await dialog.sees('O WhatsApp não responde', 'Voltou em')
})
