import { Contact, contacts } from '@balcao/contract/contacts.ts'
import { messages } from '@balcao/contract/messages.ts'
import { tickets } from '@balcao/contract/tickets.ts'
import { onlineManager } from '@tanstack/react-query'
import { fireEvent } from '@testing-library/react'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { Area } from '../../testing/area.ts'
import { counter, ticketOf } from '../../testing/counter.ts'
import { enter, type OpenPage } from '../../testing/page.tsx'
import { helena, marina } from '../../testing/people.ts'
import { samples } from '../../testing/samples.ts'
import { refuse, type Server } from '../../testing/server.ts'

const nora = ticketOf('Nora Lima', {}, marina)
const noemi = samples(Contact, [{ id: 72, name: 'Noemi Sá', number: '5531990000072' }])

/** An open conversation, and a server that finds one of each. */
function opened(as = marina, more: (server: Server) => Server = server => server) {
  const here = counter(nora)
  const found = ticketOf('Norberto Sá', { id: 55 })
  const asked: string[] = []
  const page = enter('/tickets/41', as, {
    answers: server =>
      more(
        here
          .answers(server)
          .on(tickets.list, ({ query }) => {
            const words = query.searchParam ?? ''
            if (words) asked.push(words)
            const rows = words && words !== 'xyz' ? [found] : []
            return { tickets: rows, hasMore: false, count: rows.length }
          })
          .on(contacts.list, ({ query }) => {
            const rows = query.searchParam === 'xyz' ? [] : noemi
            return { contacts: rows, hasMore: false, count: rows.length }
          })
          .on(tickets.change, () => here.ticket),
      ),
  })
  return { page, asked }
}

const press = (more: object = { ctrlKey: true }) =>
  fireEvent.keyDown(document.activeElement ?? document.body, { key: 'k', code: 'KeyK', ...more })

async function commandsOf(page: OpenPage) {
  await page.field('Escreva uma mensagem')
  press()
  const dialog = page.dialog('Ir para')
  await dialog.find('combobox')
  return dialog
}

test('Ctrl+K lists what can be done here with its keys, and Enter does it, the focus back where it was', async () => {
  const { page } = opened()
  const field = await page.field('Escreva uma mensagem')
  await page.user.click(field)
  const dialog = await commandsOf(page)
  await dialog.find('option', 'Retornar Alt 2')
  await dialog.find('option', 'Atalhos do teclado ?')
  expect(dialog.maybe('option', /^Aceitar/)).toBeNull()
  await page.user.keyboard('retornar{Enter}')
  await page.closed()
  await expect.poll(() => page.server.asked(tickets.change).length).toBe(1)
})

test('screens are those that the viewer may open, found by the beginning of a word in any accents', async () => {
  const { page } = opened()
  const dialog = await commandsOf(page)
  await dialog.find('option', 'Respostas rápidas')
  expect(dialog.maybe('option', 'Usuários')).toBeNull()
  await page.user.keyboard('rapi')
  await expect.poll(() => dialog.all('option').length).toBe(1)
  press()
  await page.closed()
  opened(helena)
  const hers = await commandsOf(page)
  await hers.find('option', 'Usuários')
})

test('Enter before the answer waits for it and opens the conversation that is found first', async () => {
  const { page, asked } = opened()
  await commandsOf(page)
  await page.user.keyboard('norb{Enter}')
  await page.closed()
  await expect.poll(() => location.pathname).toBe('/tickets/55')
  expect(asked).toEqual(['norb'])
})

test('a contact is found by the server and opened by the arrows and Enter; nothing found is said', async () => {
  const { page } = opened()
  const dialog = await commandsOf(page)
  await page.user.keyboard('xyz')
  await dialog.sees('Nada foi encontrado')
  await page.user.keyboard('{Backspace}{Backspace}{Backspace}no')
  await dialog.find('option', /Noemi Sá/)
  expect(dialog.maybe('group', 'Contatos')).not.toBeNull()
  await page.user.keyboard('{ArrowUp}')
  const field = await dialog.find('combobox')
  const marked = document.getElementById(field.getAttribute('aria-activedescendant') ?? '')
  expect(marked?.textContent).toContain('Noemi Sá')
})

test('where the server refuses the search, that is said and screens are still found', async () => {
  const { page } = opened(marina, server => server.on(contacts.list, () => refuse(400)))
  const dialog = await commandsOf(page)
  await page.user.keyboard('etiq')
  await dialog.sees('Não foi possível buscar conversas e contatos')
  await dialog.find('option', 'Etiquetas')
})

test('on a Mac it is Command and K, and other keys can be chosen for it', async () => {
  const platform = vi.spyOn(navigator, 'platform', 'get').mockReturnValue('MacIntel')
  onTestFinished(() => platform.mockRestore())
  const { page } = opened()
  await page.field('Escreva uma mensagem')
  press()
  expect(page.maybe('dialog')).toBeNull()
  fireEvent.keyDown(document.body, { key: '?' })
  const sheet = page.dialog('Atalhos do teclado')
  await sheet.press('Trocar o atalho de Ir para: ⌘K')
  fireEvent.keyDown(document.activeElement!, { key: 'y', code: 'KeyY', altKey: true })
  await sheet.find('button', 'Trocar o atalho de Ir para: ⌃⌥Y')
  await page.user.keyboard('{Escape}')
  await page.closed()
  press({ metaKey: true })
  expect(page.maybe('dialog')).toBeNull()
  await page.user.keyboard('{Alt>}{Control>}y{/Control}{/Alt}')
  await page.dialog('Ir para').find('combobox')
})

/** The server finds by their names. */
const finding =
  (...names: string[]) =>
  (server: Server) =>
    server.on(tickets.list, ({ query }) => {
      const words = (query.searchParam ?? '?').toLowerCase()
      const rows = names.flatMap((name, at) =>
        name.toLowerCase().startsWith(words) ? [ticketOf(name, { id: 60 + at }, marina)] : [],
      )
      return { tickets: rows, hasMore: false, count: rows.length }
    })

const markedOf = async (dialog: Area) =>
  document.getElementById((await dialog.find('combobox')).getAttribute('aria-activedescendant') ?? '')

test('Enter after a change of the text opens nobody of the text before: it waits for its own answer', async () => {
  const { page } = opened(marina, finding('Norberto Sá', 'Nora Reis'))
  const dialog = await commandsOf(page)
  await page.user.keyboard('norb')
  const old = await dialog.find('option', 'Norberto Sá')
  expect(old).toHaveAttribute('aria-disabled', 'false')
  await page.user.keyboard('{Backspace}a')
  expect(old).toHaveAttribute('aria-disabled', 'true')
  await page.user.click(old)
  await page.user.keyboard('{Enter}')
  await page.closed()
  await expect.poll(() => location.pathname).toBe('/tickets/61')
})

test('the mark stays on its row when another answer is inserted above', async () => {
  const gate = Promise.withResolvers<void>()
  const { page } = opened(marina, server =>
    server.on(tickets.list, async ({ query }) => {
      if (query.searchParam) await gate.promise
      const rows = query.searchParam ? [ticketOf('Norberto Sá', { id: 55 })] : []
      return { tickets: rows, hasMore: false, count: rows.length }
    }),
  )
  const dialog = await commandsOf(page)
  await page.user.keyboard('no')
  await dialog.find('option', /Noemi Sá/)
  await expect
    .poll(async () => {
      await page.user.keyboard('{ArrowDown}')
      return (await markedOf(dialog))?.textContent
    })
    .toContain('Noemi Sá')
  gate.resolve()
  await dialog.find('option', 'Norberto Sá')
  expect((await markedOf(dialog))?.textContent).toContain('Noemi Sá')
})

test('without a connection it says so instead of that nothing was found', async () => {
  onTestFinished(() => onlineManager.setOnline(true))
  const { page } = opened()
  const dialog = await commandsOf(page)
  onlineManager.setOnline(false)
  await page.user.keyboard('norb')
  await dialog.sees('Sem conexão: conversas e contatos')
  expect(dialog.element.textContent).not.toContain('Nada foi encontrado')
  onlineManager.setOnline(true)
  await dialog.find('option', 'Norberto Sá')
})

test('no action changes the open ticket unless an arrow marks it or its whole name is written', async () => {
  const { page } = opened(marina, finding('Resolina Lima'))
  const dialog = await commandsOf(page)
  await dialog.find('option', /^Resolver/)
  await page.user.keyboard('{Enter}')
  expect(await markedOf(dialog)).toBeNull()
  await page.user.keyboard('resol')
  expect(await markedOf(dialog)).toBeNull()
  await page.user.keyboard('{ArrowDown}')
  expect((await markedOf(dialog))?.textContent).toContain('Resolver')
  await page.user.keyboard('{Backspace}{Enter}')
  await page.closed()
  await expect.poll(() => location.pathname).toBe('/tickets/60')
  expect(page.server.asked(tickets.change)).toEqual([])
})

test('what is written with Enter before the dialog is there is searched and opened, and sent to nobody', async () => {
  const { page } = opened()
  await page.user.click(await page.field('Escreva uma mensagem'))
  press()
  await page.user.keyboard('norb{Enter}')
  await expect.poll(() => location.pathname).toBe('/tickets/55')
  expect(page.server.asked(messages.send)).toEqual([])
})

test('a failed search is no error of the field', async () => {
  const { page } = opened(marina, server => server.on(contacts.list, () => refuse(400)))
  const dialog = await commandsOf(page)
  await page.user.keyboard('etiq')
  await dialog.sees('Não foi possível buscar conversas e contatos')
  expect(await dialog.find('combobox')).not.toHaveAttribute('aria-invalid', 'true')
})

test('on a phone the focus returns to the button of the account', async () => {
  const here = counter(nora)
  const page = enter('/tickets/41', marina, { width: 390, answers: here.answers })
  await page.press('Conta de')
  await page.user.click(await page.find('menuitem', 'Ir para'))
  await page.dialog('Ir para').find('combobox')
  await page.user.keyboard('{Escape}')
  await page.closed()
  await expect.poll(() => document.activeElement?.textContent).toContain('Conta de')
})
