import { type Branding, companies } from '@balcao/contract/companies.ts'
import { patiently } from '../platform/asked.ts'
import { call } from '../platform/call.ts'
import { store, useStore } from '../platform/store.ts'
import { htmlLanguage, language } from '../platform/text.ts'
import { dressWindow, unbranded } from '../shell/brand-window.ts'

const told = store<Branding>(unbranded)

/** Asks whose pages these are, and dresses the window; a server that says nothing leaves Balcão's own. */
export const wearBrand = () =>
  patiently(() => call(companies.branding)).then(
    branding => {
      dressWindow(branding)
      told.write(branding)
    },
    () => {},
  )

/** Name, logo and addresses of this installation, on a page outside. */
export const useBrandOutside = (): Branding => useStore(told)

/** The day of a moment on the installation's clock, as the reader writes days. */
export function dayOutside(moment: string): string {
  // 05/06 is read both ways in English
  const month = language() === 'en' ? 'short' : '2-digit'
  const { timeZone } = told.read()
  return new Date(moment).toLocaleDateString(htmlLanguage[language()], {
    day: '2-digit',
    month,
    year: 'numeric',
    ...(timeZone && { timeZone }),
  })
}
