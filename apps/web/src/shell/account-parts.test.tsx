import { fireEvent } from '@testing-library/react'
import { expect, onTestFinished, test, vi } from 'vitest'
import { enter } from '../../testing/page.tsx'
import { butWith, marina } from '../../testing/people.ts'
import { clock } from '../platform/time.ts'

test('the logout is there at once, although the other entries of the account may be loaded later', async () => {
  const page = enter('/tickets', marina)
  await page.find('tab', /Atendendo/)
  const button = await page.find('button', 'Conta de')
  fireEvent.click(button)
  expect(page.maybe('menuitem', 'Logout')).not.toBeNull()
})

test('a notice of the account that cannot be shown takes nothing else away', async () => {
  type Time = ReturnType<typeof clock>
  const times: Time = Object.getPrototypeOf(clock())
  const { format } = times
  const failing = vi.spyOn(times, 'format').mockImplementation(function (this: Time, how) {
    if (how === 'l') throw new Error('not shown')
    return format.call(this, how)
  })
  const complaints = vi.spyOn(console, 'error').mockImplementation(() => {})
  onTestFinished(() => {
    failing.mockRestore()
    complaints.mockRestore()
  })
  const owing = butWith(marina, { company: { ...marina.company, payBy: '2026-12-01' } })
  const page = enter('/tickets', owing)
  await page.find('tab', /Atendendo/)
  await expect.poll(() => failing.mock.calls.some(([how]) => how === 'l')).toBe(true)
  await page.find('tab', /Atendendo/)
})
