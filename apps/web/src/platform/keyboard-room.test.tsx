import { expect, onTestFinished, test, vi } from 'vitest'
import { leaveRoomForKeyboard } from './keyboard-room.ts'

test('the frame is shorter by a keyboard that covers the page, and by nothing else', () => {
  const view = Object.assign(new EventTarget(), { height: 800, offsetTop: 0, scale: 1 })
  vi.stubGlobal('visualViewport', view)
  const { innerHeight } = window
  Object.assign(window, { innerHeight: 800 })
  const scrolled = vi.spyOn(window, 'scrollTo').mockImplementation(() => {})
  const stop = leaveRoomForKeyboard()
  onTestFinished(() => {
    stop()
    vi.unstubAllGlobals()
    Object.assign(window, { innerHeight })
    scrolled.mockRestore()
  })
  const room = () => document.documentElement.style.getPropertyValue('--keyboard')
  const becomes = (next: Partial<typeof view>) => {
    Object.assign(view, next)
    view.dispatchEvent(new Event('resize'))
    return room()
  }
  expect(room()).toBe('0px')
  // a bar of the browser
  expect(becomes({ height: 740 })).toBe('0px')
  expect(becomes({ height: 464, offsetTop: 90 })).toBe('336px')
  expect(scrolled).toHaveBeenCalledWith(0, 0)
  // zoomed in
  expect(becomes({ height: 400, scale: 2 })).toBe('0px')
  expect(becomes({ height: 800, offsetTop: 0, scale: 1 })).toBe('0px')
})
