import '@testing-library/jest-dom/vitest'
import 'fake-indexeddb/auto'
import { configure } from '@testing-library/react'
import { afterEach, beforeEach, vi } from 'vitest'
import { onLanguage } from '../src/platform/text.ts'
import { setDateLocale } from '../src/platform/time.ts'
import { leaveAll } from './page.tsx'
import { quietPage } from './window.ts'

/** A failed query reports its own message only, without the DOM. */
const brief = (message: string | null) =>
  Object.assign(new Error(message ?? ''), { name: 'TestingLibraryElementError' })

configure({ asyncUtilTimeout: 15_000, getElementError: brief })
quietPage()
onLanguage(setDateLocale)
/**
 * Libraries warn with elements, of which Node prints all that React attaches to them: thousands of lines
 * each.
 */
const { warn } = console
console.warn = (...parts: unknown[]) => warn(...parts.filter(part => !(part instanceof Node)))
beforeEach(() => void vi.useRealTimers())
afterEach(leaveAll)
