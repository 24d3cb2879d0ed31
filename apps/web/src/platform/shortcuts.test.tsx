import { tickets } from '@balcao/contract/tickets.ts'
import { fireEvent } from '@testing-library/react'
import { expect, onTestFinished, test, vi } from 'vitest'
import { counter, ticketOf } from '../../testing/counter.ts'
import { enter } from '../../testing/page.tsx'
import { marina } from '../../testing/people.ts'
import { keysText, means } from './shortcuts.ts'

const nora = ticketOf('Nora Lima', {}, marina)

function opened() {
  const here = counter(nora)
  const page = enter('/tickets/41', marina, {
    answers: server => here.answers(server).on(tickets.change, () => here.ticket),
  })
  return { page, returned: () => page.server.asked(tickets.change).length }
}

test('on a Mac Option writes letters in the composer, and with Control it is a shortcut there', async () => {
  const platform = vi.spyOn(navigator, 'platform', 'get').mockReturnValue('MacIntel')
  onTestFinished(() => platform.mockRestore())
  const { page, returned } = opened()
  await page.user.click(await page.field('Escreva uma mensagem'))
  await page.user.keyboard('{Alt>}2{/Alt}')
  expect(returned()).toBe(0)
  await page.user.keyboard('{Control>}{Alt>}2{/Alt}{/Control}')
  await expect.poll(returned).toBe(1)
  expect((await page.find('button', 'Retornar')).dataset.hint).toBe('Retornar (⌃⌥2)')
})

test('the plus sign is a key of its own, and Ctrl goes by the letter of the layout, where it has Latin ones', () => {
  expect(keysText('+')).toBe('+')
  const struck = (key: string, code: string) =>
    means(new KeyboardEvent('keydown', { key, code, ctrlKey: true }), 'ctrl+k')
  expect(struck('k', 'KeyV')).toBe(true)
  expect(struck('t', 'KeyK')).toBe(false)
  expect(struck('л', 'KeyK')).toBe(true)
})

test('other keys can be chosen for a shortcut, and are none that another one or the browser has', async () => {
  const { page, returned } = opened()
  await page.field('Escreva uma mensagem')
  fireEvent.keyDown(document.body, { key: '?' })
  const dialog = page.dialog('Atalhos do teclado')
  const change = async (code: string, more: object = {}) => {
    await dialog.press(/^Trocar o atalho de Retornar/)
    fireEvent.keyDown(document.activeElement!, { key: 'x', code, altKey: true, ...more })
  }
  await change('KeyS')
  await dialog.sees('Já é de Aguardando')
  await change('KeyD')
  await dialog.sees('O navegador usa essas teclas')
  await change('KeyR', { shiftKey: true })
  await dialog.find('button', 'Trocar o atalho de Retornar: Alt+Shift+R')
  await page.user.keyboard('{Escape}')
  await page.closed()
  await page.user.click(await page.field('Escreva uma mensagem'))
  await page.user.keyboard('{Alt>}2{/Alt}')
  expect(returned()).toBe(0)
  await page.user.keyboard('{Alt>}{Shift>}r{/Shift}{/Alt}')
  await expect.poll(returned).toBe(1)
})
