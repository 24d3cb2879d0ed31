import { draftChannel, drafts } from '@balcao/contract/drafts.ts'
import { messages } from '@balcao/contract/messages.ts'
import { waitFor } from '@testing-library/react'
import { expect, onTestFinished, test, vi } from 'vitest'
import { counter, messageOn, ticketOf, uuid } from '../../../../testing/counter.ts'
import { enter } from '../../../../testing/page.tsx'
import { marina } from '../../../../testing/people.ts'
import { breakOff, refuse, type Server } from '../../../../testing/server.ts'

const WRITE = 'Escreva uma mensagem'
const nora = ticketOf('Nora Lima', {}, marina)
const SECONDS = { timeout: 5_000 }

function opened(more: (server: Server) => Server = server => server) {
  const here = counter(nora, [messageOn(nora, 1, { body: 'Qual o tamanho?' })])
  return enter('/tickets/41', marina, {
    answers: server =>
      more(
        here
          .answers(server)
          .on(messages.send, ({ body }) =>
            messageOn(nora, 9, { id: body.id!, body: body.body!, fromMe: true, version: 2 }),
          ),
      ),
  })
}

test('what one writes is saved a moment after the last key, or as one leaves the field, and leaves with its message', async () => {
  const page = opened()
  const saved = () => page.server.asked(drafts.save).map(({ body }) => body.body)
  await page.type(WRITE, 'Bom dia')
  expect(saved()).toEqual([])
  await waitFor(() => expect(saved()).toEqual(['Bom dia']), SECONDS)
  await page.type(WRITE, ', Nora')
  await page.user.tab()
  await waitFor(() => expect(saved()).toEqual(['Bom dia', 'Bom dia, Nora']))
  const { at } = page.server.asked(drafts.save)[1]!.body
  await page.user.click(await page.field(WRITE))
  await page.user.keyboard('{Enter}')
  await waitFor(() => expect(page.server.asked(messages.send)).toHaveLength(1))
  expect(page.server.asked(messages.send)[0]!.body).toMatchObject({ body: 'Bom dia, Nora', draftAt: at })
  // a late push from another device does not restore it
  page.server.push(draftChannel, { ticketId: 41, body: 'Bom d', quotedId: null, at: at - 1 })
  expect(await page.field(WRITE)).toHaveValue('')
})

test('what was sent before it was saved needs no draft', async () => {
  const page = opened()
  await page.type(WRITE, 'Oi')
  await page.user.keyboard('{Enter}')
  await waitFor(() => expect(page.server.asked(messages.send)).toHaveLength(1))
  expect(page.server.asked(messages.send)[0]!.body.draftAt).toBeUndefined()
  expect(page.server.asked(drafts.save)).toEqual([])
})

test('what one writes elsewhere stands here with what it answers to, but not over what is being written', async () => {
  const known = { ticketId: 41, body: 'Do celular', quotedId: uuid(1), at: Date.now() - 60_000 }
  const page = opened(server => server.on(drafts.list, { drafts: [known] }))
  await waitFor(async () => expect(await page.field(WRITE)).toHaveValue('Do celular'))
  await page.sees('Respondendo a Nora Lima')
  const later = { ...known, body: 'Do celular, sim', quotedId: null, at: known.at + 1 }
  page.server.push(draftChannel, later)
  await waitFor(async () => expect(await page.field(WRITE)).toHaveValue('Do celular, sim'))
  await page.lacks('Respondendo a Nora Lima')
  await page.type(WRITE, ' e daqui')
  const at = Date.now() + 60_000
  page.server.push(draftChannel, { ...later, body: 'Outra coisa', at })
  expect(await page.field(WRITE)).toHaveValue('Do celular, sim e daqui')
  // the clock there is ahead: what is written here is newer all the same
  await page.type(WRITE, '!')
  await waitFor(() => {
    const last = page.server.asked(drafts.save).at(-1)?.body
    expect(last?.body).toBe('Do celular, sim e daqui!')
    expect(last!.at).toBeGreaterThan(at)
  }, SECONDS)
})

test('a file without words that answers to a message takes the draft of that answer with it', async () => {
  const sent: FormData[] = []
  class Recorded {
    upload = {}
    onabort = () => {}
    open() {}
    setRequestHeader() {}
    send = (form: FormData) => void sent.push(form)
    abort() {
      this.onabort()
    }
  }
  vi.stubGlobal('XMLHttpRequest', Recorded)
  onTestFinished(() => void vi.unstubAllGlobals())
  const known = { ticketId: 41, body: '', quotedId: uuid(1), at: Date.now() - 60_000 }
  const page = opened(server => server.on(drafts.list, { drafts: [known] }))
  await page.sees('Respondendo a Nora Lima')
  await page.give(new File(['%PDF-1.7'], 'boleto.pdf', { type: 'application/pdf' }))
  await page.sees('boleto.pdf')
  await page.press(/^Enviar$/)
  await waitFor(() => expect(sent).toHaveLength(1))
  expect([sent[0]!.get('quotedMsg'), sent[0]!.get('draftAt')]).toEqual([uuid(1), String(known.at)])
  await page.press('Cancelar envio de boleto.pdf')
})

test('what could not be saved stays here, and is saved when the line is back', async () => {
  let isCut = true
  const page = opened(server =>
    server.on(drafts.save, ({ params, body }) => (isCut ? breakOff() : { ...params, ...body })),
  )
  await page.type(WRITE, 'Sem linha')
  await page.user.tab()
  await waitFor(() => expect(page.server.asked(drafts.save)).toHaveLength(1))
  expect(await page.field(WRITE)).toHaveValue('Sem linha')
  isCut = false
  const { askAgain } = await import('../../../platform/query.ts')
  await askAgain()
  await waitFor(() => expect(page.server.asked(drafts.save).length).toBeGreaterThan(1))
  expect(page.server.asked(drafts.save).at(-1)!.body.body).toBe('Sem linha')
})

test('what the server refuses is not asked again each time the line is back, until it changes', async () => {
  const page = opened(server => server.on(drafts.save, () => refuse(404, 'ERR_NO_TICKET_FOUND')))
  const saved = () => page.server.asked(drafts.save).map(({ body }) => body.body)
  await page.type(WRITE, 'Tarde')
  await page.user.tab()
  await waitFor(() => expect(saved()).toEqual(['Tarde']))
  const listed = page.server.asked(drafts.list).length
  const { askAgain } = await import('../../../platform/query.ts')
  await askAgain()
  await waitFor(() => expect(page.server.asked(drafts.list).length).toBeGreaterThan(listed))
  await page.type(WRITE, '!')
  await page.user.tab()
  await waitFor(() => expect(saved().at(-1)).toBe('Tarde!'))
  expect(saved()).toEqual(['Tarde', 'Tarde!'])
})

test('a draft of a resolved ticket is shown with it, copied, and dropped with a way back', async () => {
  const copied = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue()
  onTestFinished(() => copied.mockRestore())
  localStorage.setItem('draft:2.3:41', 'Vou ver e já')
  const page = enter('/tickets/41', marina, { answers: counter({ ...nora, status: 'closed' }).answers })
  await page.sees('Este atendimento foi resolvido')
  await page.press('Copiar texto')
  expect(copied).toHaveBeenCalledWith('Vou ver e já')
  await page.press('Descartar rascunho')
  await page.lacks('Vou ver e já')
  await page.press('Desfazer')
  await page.sees('Vou ver e já')
  expect(localStorage.getItem('draft:2.3:41')).toBe('Vou ver e já')
})
