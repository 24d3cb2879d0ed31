import { auth } from '@balcao/contract/auth.ts'
import { drafts } from '@balcao/contract/drafts.ts'
import { MAX_BODY } from '@balcao/contract/messages.input.ts'
import { messageChannel, messages } from '@balcao/contract/messages.ts'
import { act, fireEvent, waitFor } from '@testing-library/react'
import { expect, onTestFinished, test, vi } from 'vitest'
import { counter, messageOn, ticketOf } from '../../../../testing/counter.ts'
import { enter } from '../../../../testing/page.tsx'
import { helena, marina } from '../../../../testing/people.ts'
import { breakOff, type Server } from '../../../../testing/server.ts'
import { hold } from './held.ts'
import { begunBy } from './stored-held.ts'

const WRITE = 'Escreva uma mensagem'
const nora = ticketOf('Nora Lima', {}, marina)
const question = messageOn(nora, 1, { body: 'Qual o tamanho?' })

const opened = (more: (server: Server) => Server = server => server, as = marina) =>
  enter('/tickets/41', as, { answers: server => more(counter(nora, [question]).answers(server)) })

test('a text that waits can be copied and taken back; had it arrived, it is not written twice', async () => {
  const page = opened(server => server.on(messages.send, () => breakOff()))
  const copied = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue()
  onTestFinished(() => copied.mockRestore())
  await page.type(WRITE, 'Chega amanhã')
  await page.user.keyboard('{Enter}')
  await page.sees('Aguardando envio')
  await page.press('Copiar texto')
  expect(copied).toHaveBeenCalledWith('Chega amanhã')
  await page.type(WRITE, 'às 10')
  await page.press('Voltar a escrever')
  expect(await page.field(WRITE)).toHaveValue('Chega amanhã\nàs 10')
  await page.lacks('Aguardando envio')
  await page.fill(WRITE, 'Chega hoje')
  await page.user.keyboard('{Enter}')
  await page.press('Voltar a escrever')
  expect(await page.field(WRITE)).toHaveValue('Chega hoje')
  await page.type(WRITE, '\nàs 11')
  const { id } = page.server.asked(messages.send).at(-1)!.body
  const message = messageOn(nora, 9, { id: id!, body: 'Chega hoje', fromMe: true, version: 2 })
  page.server.push(messageChannel, { action: 'create', message, ticket: nora, contact: nora.contact })
  await page.sees('A mensagem que você retomou já tinha sido enviada: ela está na conversa.')
  // what was written behind it since stays
  expect(await page.field(WRITE)).toHaveValue('às 11')
})

test('what is quoted is there after a reload for its author alone, and marks the row', async () => {
  const page = opened()
  await page.sees('Qual o tamanho?')
  await page.press('Responder')
  await page.sees('Respondendo a Nora Lima')
  await page.find('link', /Nora Lima[\s\S]*Rascunho[\s\S]*Resposta/)
  await begunBy('2.3')
  const other = opened(undefined, helena)
  await other.field(WRITE)
  await other.lacks('Respondendo a Nora Lima')
  const again = opened()
  await again.sees('Respondendo a Nora Lima')
  await again.press('Não responder')
  await begunBy('2.3')
  const last = opened()
  await last.field(WRITE)
  await last.lacks('Respondendo a Nora Lima')
})

test('an answer that was ended elsewhere stays ended, however often the page is loaded', async () => {
  const page = opened()
  await page.sees('Qual o tamanho?')
  await page.press('Responder')
  await begunBy('2.3')
  const ended = { ticketId: 41, body: '', quotedId: null, at: Date.now() + 60_000 }
  for (const _load of [1, 2]) {
    const again = opened(server => server.on(drafts.list, { drafts: [ended] }))
    await again.field(WRITE)
    await begunBy('2.3')
    await again.lacks('Respondendo a Nora Lima')
  }
})

test('files, an answer and a recording of a ticket that was resolved are shown with it, and dropped one by one', async () => {
  const page = enter('/tickets/41', marina, {
    answers: counter({ ...nora, status: 'closed' }, [question]).answers,
  })
  await page.sees('Este atendimento foi resolvido')
  const file = new File(['%PDF-1.7'], 'boleto.pdf', { type: 'application/pdf' })
  const made = new Blob(['a'.repeat(20_000)], { type: 'audio/mpeg' })
  act(() =>
    hold(41, {
      quoted: question,
      files: [{ key: 'a', file, kind: 'document', width: null, height: null, seconds: null }],
      recording: { recording: null, state: 'paused', seconds: 12, bars: [], before: { made, seconds: 12 } },
    }),
  )
  await page.sees('Respondendo a Nora Lima', 'Gravação', '0:12', 'boleto.pdf')
  await page.press('Descartar gravação')
  await page.lacks('0:12')
  await page.press('Desfazer')
  await page.sees('0:12')
  await page.press('Descartar gravação')
  await page.press('Não responder')
  await page.press('Remover boleto.pdf')
  await page.lacks('Respondendo a Nora Lima', 'boleto.pdf', '0:12')
})

test('where the browser stores nothing it is said once that files are lost with the page', async () => {
  const put = vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(() => {
    throw new DOMException('no space', 'QuotaExceededError')
  })
  onTestFinished(() => put.mockRestore())
  const page = opened()
  await page.field(WRITE)
  await page.give(new File(['%PDF-1.7'], 'boleto.pdf', { type: 'application/pdf' }))
  await page.sees('boleto.pdf', /Este navegador não está guardando o que você ainda não enviou/)
})

test('a text beyond the limit stays whole in the field, says so, and leaves once it is short enough', async () => {
  const page = opened(server =>
    server.on(messages.send, ({ body }) =>
      messageOn(nora, 9, { id: body.id!, body: body.body!, fromMe: true }),
    ),
  )
  const field = await page.field(WRITE)
  const long = 'a'.repeat(MAX_BODY + 1)
  fireEvent.change(field, { target: { value: long } })
  await page.sees(/O texto tem 65537 caracteres e o limite é 65536/)
  fireEvent.keyDown(field, { key: 'Enter' })
  expect(field).toHaveValue(long)
  expect(page.server.asked(messages.send)).toEqual([])
  fireEvent.paste(field, {
    clipboardData: { files: [], getData: () => 'a'.repeat(5 * MAX_BODY) },
  })
  await page.sees(/Nada foi colado/)
  fireEvent.change(field, { target: { value: long.slice(1) } })
  fireEvent.keyDown(field, { key: 'Enter' })
  await waitFor(() => expect(page.server.asked(messages.send)).toHaveLength(1))
})

test('a logout asks what becomes of a text that only this browser has', async () => {
  const cut = (server: Server) => server.on(drafts.save, () => breakOff()).on(auth.logout, {})
  const leaveWith = async (answer: RegExp) => {
    const page = opened(cut)
    await page.fill(WRITE, 'Sem linha')
    await page.press(/Marina Duarte/)
    await page.user.click(await page.find('menuitem', 'Logout'))
    await page.dialog('Sair com algo não enviado?').press(answer)
    await page.find('button', 'Acessar')
    return localStorage.getItem('draft:2.3:41')
  }
  expect(await leaveWith(/Guardar/)).toBe('Sem linha')
  expect(await leaveWith(/Descartar/)).toBeNull()
})
