import { botConfigs, botSimulator, Prompt } from '@balcao/contract/botConfigs.ts'
import { fireEvent } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { enter, lead } from '../../../testing/page.tsx'
import { helena } from '../../../testing/people.ts'
import { samples } from '../../../testing/samples.ts'
import { breakOff, refuse, type Server } from '../../../testing/server.ts'

const all = samples(
  Prompt,
  Array.from({ length: 45 }, (_, at) => ({
    id: at + 1,
    name: `Prompt ${String(at).padStart(2, '0')}`,
    model: 'gpt-4o',
  })),
)
const answering = (server: Server) =>
  server.on(botConfigs.list, ({ query }) => {
    const found = all.filter(({ name, model }) => `${name} ${model}`.includes(query.searchParam ?? ''))
    const from = ((query.pageNumber ?? 1) - 1) * 20
    return { botConfigs: found.slice(from, from + 20), hasMore: from + 20 < found.length }
  })

test('prompts load on as one scrolls, and are found by name and model [BOTCFG-004, BOTCFG-007]', async () => {
  const page = enter('/botConfig', helena, { answers: answering })
  await page.sees('Prompt 00')
  // the first request is repeated once the socket is connected
  const loaded = () => [...new Set(page.server.asked(botConfigs.list).map(({ query }) => query.pageNumber))]
  expect(loaded()).toEqual([1])
  for (const pages of [2, 3]) {
    for (const box of document.querySelectorAll('main *')) fireEvent.scroll(box)
    await page.sees(pages === 2 ? 'Prompt 39' : 'Prompt 44')
  }
  expect(loaded()).toEqual([1, 2, 3])
  await page.search('Prompt 07')
  await page.lacks('Prompt 00')
  await page.sees('Prompt 07')
})

test('what fails in the simulator of a prompt is logged, not shown, and the words come back [SIM-007]', async () => {
  const logged = vi.spyOn(console, 'error').mockImplementation(() => {})
  const page = enter('/botConfig', helena, {
    answers: server =>
      answering(server)
        .on(botSimulator.show, { messages: [], status: 'online' })
        .on(botSimulator.send, () => breakOff()),
  })
  await page.search('Prompt 07')
  await page.lacks('Prompt 00')
  await page.press('Testar Prompt 07')
  const dialog = page.dialog()
  await dialog.fill('Escreva como um cliente', 'Tem sofá?')
  await page.user.keyboard('{Enter}')
  await expect.poll(() => logged.mock.calls.length).toBeGreaterThan(0)
  await expect.poll(async () => (await dialog.field('Escreva como um cliente')).value).toBe('Tem sofá?')
  expect(dialog.maybe('alert')).toBeNull()
  logged.mockRestore()
})

test('an address of a prompt that another company has says so, and shows the list', async () => {
  const page = enter('/botConfig/7', helena, {
    answers: server => answering(server).on(botConfigs.show, () => refuse(404, 'ERR_NOT_FOUND')),
  })
  await page.find('alert')
  await expect.poll(() => location.pathname).toBe('/botConfig')
  expect(page.maybe('link', 'Integrações')).toBeNull()
  await lead('/integration')
  await expect.poll(() => location.pathname).toBe('/tickets')
})
