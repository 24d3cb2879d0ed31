import { type Branding, companies } from '@balcao/contract/companies.ts'
import { patiently } from '../platform/asked.ts'
import { call } from '../platform/call.ts'
import { store, useStore } from '../platform/store.ts'
import { htmlLanguage, language } from '../platform/text.ts'
import { dressWindow, unbranded } from '../shell/brand-window.ts'

const loaded = store<Branding>(unbranded)

/** Loads the branding and applies it to the window; without an answer it stays Balcão's own. */
export const wearBrand = () =>
  patiently(() => call(companies.branding)).then(
    branding => {
      dressWindow(branding)
      loaded.write(branding)
    },
    () => {},
  )

/** Name, logo and addresses of this installation, on a page outside. */
export const useBrandOutside = (): Branding => useStore(loaded)

/** The calendar day of a moment on the installation's clock, in the reader's format. */
export function dayOutside(moment: string): string {
  // 05/06 is read both ways in English
  const month = language() === 'en' ? 'short' : '2-digit'
  const { timeZone } = loaded.read()
  return new Date(moment).toLocaleDateString(htmlLanguage[language()], {
    day: '2-digit',
    month,
    year: 'numeric',
    ...(timeZone && { timeZone }),
  })
}
